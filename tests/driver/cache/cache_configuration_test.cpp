// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cache_configuration.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <vector>

using vnpu::driver::cacheConfiguration;
using vnpu::driver::DeviceInfo;
using vnpu::driver::Digest;

TEST_SUITE_BEGIN("driver/cache/cache_configuration");

TEST_CASE("the same device and driver have the same configuration") {
    CHECK(cacheConfiguration({}, "vnpu-1.3") == cacheConfiguration({}, "vnpu-1.3"));
}

TEST_CASE("every number of the device and the driver's version distinguish configurations") {
    using Change = std::function<void(DeviceInfo&)>;
    const std::vector<Change> changes = {
            [](DeviceInfo& info) { info.archVersion += 1; },
            [](DeviceInfo& info) { info.commandStreamVersion += 1; },
            [](DeviceInfo& info) { info.isSimulated = !info.isSimulated; },
            [](DeviceInfo& info) { info.isTimingOnly = !info.isTimingOnly; },
            [](DeviceInfo& info) { info.macRows += 1; },
            [](DeviceInfo& info) { info.macColumns += 1; },
            [](DeviceInfo& info) { info.dataflow += 1; },
            [](DeviceInfo& info) { info.weightDoubleBuffer = !info.weightDoubleBuffer; },
            [](DeviceInfo& info) { info.floatDivisor += 1; },
            [](DeviceInfo& info) { info.outputLanes += 1; },
            [](DeviceInfo& info) { info.accumulatorBytes += 1; },
            [](DeviceInfo& info) { info.sramBytes += 1; },
            [](DeviceInfo& info) { info.sramBanks += 1; },
            [](DeviceInfo& info) { info.sramPortBytes += 1; },
            [](DeviceInfo& info) { info.vectorLanes8 += 1; },
            [](DeviceInfo& info) { info.vectorLanes32 += 1; },
            [](DeviceInfo& info) { info.dspLanes8 += 1; },
            [](DeviceInfo& info) { info.dspLanes32 += 1; },
            [](DeviceInfo& info) { info.dspMacs8 += 1; },
            [](DeviceInfo& info) { info.dspMacsFloat += 1; },
            [](DeviceInfo& info) { info.dspBytesPerCycle += 1; },
            [](DeviceInfo& info) { info.dmaChannels += 1; },
            [](DeviceInfo& info) { info.dmaBytesPerCycle += 1; },
            [](DeviceInfo& info) { info.loadsAhead += 1; },
            [](DeviceInfo& info) { info.pixelReads = !info.pixelReads; },
            [](DeviceInfo& info) { info.resultsLeave = !info.resultsLeave; },
            [](DeviceInfo& info) { info.tapsApart = !info.tapsApart; },
            [](DeviceInfo& info) { info.dramBytesPerCycle += 1.0 / 1024; },
            [](DeviceInfo& info) { info.dramLatencyCycles += 1; },
            [](DeviceInfo& info) { info.residentBytes += 1; },
            [](DeviceInfo& info) { info.residentBase += 1; },
            [](DeviceInfo& info) { info.clockHz += 1; },
            [](DeviceInfo& info) { info.memoryBytes += 1; },
            [](DeviceInfo& info) { info.ringCount += 1; },
            [](DeviceInfo& info) { info.contextCount += 1; },
            [](DeviceInfo& info) { info.engineQueueDepth += 1; },
    };
    std::set<Digest> seen{cacheConfiguration({}, "vnpu-1.3"), cacheConfiguration({}, "vnpu-1.4")};
    for (const Change& change : changes) {
        DeviceInfo info;
        change(info);
        seen.insert(cacheConfiguration(info, "vnpu-1.3"));
    }
    CHECK_EQ(seen.size(), changes.size() + 2);
}

TEST_SUITE_END();
