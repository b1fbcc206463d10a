// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/outbox.h"

#include <array>
#include <bit>
#include <cstdint>

#include "firmware/core/base/register_io.h"
#include "hw_model/regs/check.h"

namespace vnpu::fw {

void Outbox::put(const Message& message) {
    VNPU_CHECK(!isWaiting_, "a request is taken only when the last reply has left");
    message_ = message;
    isWaiting_ = true;
}

bool Outbox::flush() {
    if (!isWaiting_) {
        return true;
    }
    const std::uint32_t control = readRegister<regs::MailboxOutControl>(port_);
    if (regs::MailboxOutControl::kFull.get(control) != 0) {
        return false;
    }
    const auto words =
            std::bit_cast<std::array<std::uint32_t, regs::kMailboxWords>>(sealed(message_));
    for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
        writeRegister<regs::MailboxOutData>(port_, words[i], i);
    }
    isWaiting_ = false;
    return true;
}

}  // namespace vnpu::fw
