// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/base/interrupts.h"

namespace vnpu::fw {

void Interrupts::poll() {
    const std::uint32_t latched = readRegister<regs::ControllerIrqStatus>(port_);
    if (latched != 0) {
        writeRegister<regs::ControllerIrqStatus>(port_, latched);
        pending_ |= latched;
    }
}

bool Interrupts::take(const regs::FieldSpec& field) {
    const bool came = isPending(field);
    pending_ &= ~field.mask();
    return came;
}

}  // namespace vnpu::fw
