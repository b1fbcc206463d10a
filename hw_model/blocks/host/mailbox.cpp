// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/mailbox.h"

#include <span>

#include "hw_model/blocks/base/fault_injector.h"

namespace vnpu::hw {

void Mailbox::writeIn(std::uint32_t index, std::uint32_t value) {
    if (!isInFull_) {
        in_[index] = value;
    }
}

void Mailbox::writeInControl(std::uint32_t value, bool isController) {
    const bool isSet = regs::MailboxInControl::kFull.get(value) != 0;
    if (isController) {
        isInFull_ = isInFull_ && isSet;
        return;
    }
    if (isSet && !isInFull_) {
        isInFull_ = true;
        spoil(in_);
        interrupts_.raiseController(regs::ControllerIrqStatus::kMessage.mask());
    }
}

void Mailbox::writeOutControl(std::uint32_t value) {
    if (regs::MailboxOutControl::kFull.get(value) == 0 && isOutFull_) {
        isOutFull_ = false;
        interrupts_.raiseController(regs::ControllerIrqStatus::kOutboxFree.mask());
    }
}

void Mailbox::writeOutData(std::uint32_t index, std::uint32_t value) {
    draft_[index] = value;
    if (index + 1 == draft_.size()) {
        out_ = draft_;
        spoil(out_);
        isOutFull_ = true;
        interrupts_.raiseHost(regs::IrqStatus::kMessage.mask());
    }
}

void Mailbox::spoil(Words& words) {
    if (faults_ != nullptr) {
        faults_->passMessage(clock_.now(), std::as_writable_bytes(std::span(words)));
    }
}

void Mailbox::reset() {
    in_.fill(0);
    out_.fill(0);
    draft_.fill(0);
    isInFull_ = false;
    isOutFull_ = false;
}

}  // namespace vnpu::hw
