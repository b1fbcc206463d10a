// SPDX-License-Identifier: Apache-2.0
#include "sim/device/systemc/device.h"

#include <utility>

#include "firmware/core/firmware.h"
#include "hw_model/blocks/device.h"
#include "hw_model/kernels/support/processor_level.h"
#include "hw_model/regs/registers.h"
#include "sim/config/load_config.h"
#include "sim/device/caller_program.h"

namespace vnpu {

namespace {

static_assert(Device::kRegisterBytes == hw::regs::kWindowBytes);

hw::Device::Options optionsOf(const Device::Options& options) {
    hw::kernels::processorLevel();  // throws for a wrong VNPU_KERNELS
    hw::Device::Options parts;
    parts.config = sim::loadConfig(options.config);
    parts.config.timingOnly = options.isTimingOnly;
    parts.firmware = options.program.run == nullptr ? fw::createFirmware()
                                                    : sim::createCallerProgram(options.program);
    parts.mayRunAhead = options.runsAhead;
    return parts;
}

}  // namespace

struct Device::Parts {
    explicit Parts(const Options& options) : device("npu", optionsOf(options)) {}

    hw::Device device;
};

Device::Device(const sc_core::sc_module_name& name) : Device(name, Options()) {}

Device::Device(const sc_core::sc_module_name& name, const Options& options)
    : sc_module(name),
      registers("registers"),
      memory("memory"),
      irq("irq"),
      parts_(std::make_unique<Parts>(options)) {
    registers.bind(parts_->device.registers);
    parts_->device.memory.bind(memory);
    parts_->device.irq(irq);
}

Device::~Device() = default;

}  // namespace vnpu
