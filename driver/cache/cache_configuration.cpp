// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cache_configuration.h"

#include <compiler_digest.h>
#include <fmt/format.h>

namespace vnpu::driver {

// A field that is added to DeviceInfo has to be added below.
static_assert(sizeof(DeviceInfo) == 232);

Digest cacheConfiguration(const DeviceInfo& device, std::string_view driverVersion) {
    Sha256 digest;
    digest.add(fmt::format("driver {} {}\ncompiler {}\n", driverVersion.size(), driverVersion,
                           kCompilerDigest));
    digest.add(fmt::format("architecture {:#x} stream {:#x} simulated {} timing {}\n",
                           device.archVersion, device.commandStreamVersion, device.isSimulated,
                           device.isTimingOnly));
    digest.add(fmt::format(
            "array {}x{} dataflow {} double {} winograd {} taps {} float {} lanes {} depthwise {} "
            "accumulators {}\n",
            device.macRows, device.macColumns, device.dataflow, device.weightDoubleBuffer,
            device.winograd, device.tapsApart, device.floatDivisor, device.outputLanes,
            device.depthwiseColumns, device.accumulatorBytes));
    digest.add(fmt::format("sram {} banks {} port {} ahead {} pixels {} leave {} vector {} {}\n",
                           device.sramBytes, device.sramBanks, device.sramPortBytes,
                           device.loadsAhead, device.pixelReads, device.resultsLeave,
                           device.vectorLanes8, device.vectorLanes32));
    digest.add(fmt::format("dsp {} {} macs {} {} port {}\n", device.dspLanes8, device.dspLanes32,
                           device.dspMacs8, device.dspMacsFloat, device.dspBytesPerCycle));
    digest.add(fmt::format("resident {} at {:#x}\n", device.residentBytes, device.residentBase));
    digest.add(fmt::format(
            "dma {} {} decoder {} dram {:a} {} clock {} memory {} rings {} contexts {} queues {}\n",
            device.dmaChannels, device.dmaBytesPerCycle, device.decoderBytesPerCycle,
            device.dramBytesPerCycle, device.dramLatencyCycles, device.clockHz, device.memoryBytes,
            device.ringCount, device.contextCount, device.engineQueueDepth));
    digest.add(fmt::format("levels {} {} sustained {}\n", device.clockLevels,
                           fmt::join(device.clockLevelsHz, " "), device.sustainedLevel));
    return digest.finish();
}

}  // namespace vnpu::driver
