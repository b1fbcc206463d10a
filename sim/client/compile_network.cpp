// SPDX-License-Identifier: Apache-2.0
#include "sim/client/compile_network.h"

#include <fmt/format.h>

#include <stdexcept>

#include "driver/api/device.h"
#include "hw_model/regs/register_map.h"
#include "sim/base/app_uid.h"
#include "sim/client/model_runner.h"
#include "sim/client/run_platform.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

namespace {

std::vector<RegisterValue> readConfiguration(driver::DevicePort& port) {
    std::vector<RegisterValue> values;
    for (const hw::regs::RegisterSpec* spec : hw::regs::registerMap()) {
        const bool isWanted = hw::regs::isConfiguration(spec->offset) &&
                              spec->offset > hw::regs::Platform::kSpec.offset;
        for (std::uint32_t i = 0; isWanted && i < spec->count; ++i) {
            values.push_back({spec->at(i), port.read32(spec->at(i))});
        }
    }
    return values;
}

}  // namespace

CompiledNetwork compileOn(const hw::NpuConfig& config, const Network& network,
                          std::uint64_t checkpointCycles) {
    DriverLog log;
    Platform platform({.config = config,
                       .driverObserver = &log,
                       .scheduling = {.checkpointCycles = checkpointCycles}});
    CompiledNetwork compiled;
    platform.addClient("compile", kFirstAppUid, [&](ClientContext& context) {
        const auto runner = ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
        compiled.model = driver::compiledModelOf(runner->preparedModel());
        compiled.configuration = readConfiguration(context.port());
    });
    runPlatform(platform, log);
    if (compiled.model == nullptr) {
        throw std::runtime_error(fmt::format("{}: the driver keeps no commands", network.name));
    }
    return compiled;
}

}  // namespace vnpu::sim
