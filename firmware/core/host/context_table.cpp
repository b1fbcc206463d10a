// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/context_table.h"

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::fw {

MessageStatus ContextTable::create(std::uint32_t context, std::uint64_t rootAddress) {
    if (context >= regs::kContextCount || exists_[context]) {
        return MessageStatus::kBadContext;
    }
    if (rootAddress == 0 || rootAddress % hw::kPageBytes != 0 ||
        (rootAddress >> hw::kBusAddressBits) != 0) {
        return MessageStatus::kBadAddress;
    }
    std::uint64_t lastEntry = 0;
    const std::uint64_t lastAddress = rootAddress + hw::kPageBytes - sizeof(lastEntry);
    if (readValue(port_, hw::ControllerPort::kPhysical, lastAddress, lastEntry) !=
        hw::JobStatus::kOk) {
        return MessageStatus::kBadAddress;
    }
    setRoot(context, rootAddress);
    roots_[context] = rootAddress;
    exists_[context] = true;
    return invalidate(context);
}

MessageStatus ContextTable::destroy(std::uint32_t context) {
    if (!exists(context)) {
        return MessageStatus::kBadContext;
    }
    setRoot(context, 0);
    const MessageStatus status = invalidate(context);
    exists_[context] = false;
    return status;
}

std::uint32_t ContextTable::restore() {
    std::uint32_t count = 0;
    for (std::uint32_t context = 0; context < regs::kContextCount; ++context) {
        if (exists_[context]) {
            port_.charge(kContextRestoreCycles);
            setRoot(context, roots_[context]);
            ++count;
        }
    }
    return count;
}

MessageStatus ContextTable::invalidate(std::uint32_t context) {
    if (!exists(context)) {
        return MessageStatus::kBadContext;
    }
    writeRegister<regs::MmuInvalidate>(port_, regs::MmuInvalidate::kContext.put(context));
    return MessageStatus::kOk;
}

void ContextTable::setRoot(std::uint32_t context, std::uint64_t address) {
    writeRegister<regs::ContextRootLo>(port_, static_cast<std::uint32_t>(address), context);
    writeRegister<regs::ContextRootHi>(port_, static_cast<std::uint32_t>(address >> 32), context);
}

}  // namespace vnpu::fw
