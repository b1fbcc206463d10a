// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/boot_sequence.h"

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/local_memory.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {
namespace {

BootError check(const BootParameters& parameters) {
    if (parameters.magic != kBootMagic) {
        return BootError::kBadMagic;
    }
    if (parameters.sizeBytes != sizeof(BootParameters)) {
        return BootError::kBadSize;
    }
    const bool sameMajor = majorOf(parameters.bootApiVersion) == majorOf(kBootApiVersion) &&
                           majorOf(parameters.mailboxApiVersion) == majorOf(kMailboxApiVersion) &&
                           majorOf(parameters.ringApiVersion) == majorOf(kRingApiVersion);
    const bool sameStream = parameters.commandStreamVersion == hw::kCommandStreamVersion;
    // Bits without a meaning in this version belong to a later one.
    const bool nothingNew = parameters.flags == 0 && parameters.dumpBusAddress % 8 == 0;
    return sameMajor && sameStream && nothingNew ? BootError::kNone : BootError::kBadVersion;
}

}  // namespace

BootResult readBootParameters(hw::ControllerPort& port, LogRing& log) {
    port.charge(kBootCycles);
    BootResult result;
    if (port.localMemory().size() < kLocalMemoryBytes) {
        result.error = BootError::kNoLocalMemory;
        return result;
    }
    const std::uint64_t low = readRegister<regs::BootParametersLo>(port);
    const std::uint64_t address =
            low | (std::uint64_t{readRegister<regs::BootParametersHi>(port)} << 32);
    if (address == 0 || address % alignof(BootParameters) != 0 ||
        readValue(port, hw::ControllerPort::kPhysical, address, result.parameters) !=
                hw::JobStatus::kOk) {
        result.error = BootError::kUnreadable;
        return result;
    }
    result.error = check(result.parameters);
    if (result.error == BootError::kNone &&
        readRegister<regs::CommandStreamVersion>(port) != hw::kCommandStreamVersion) {
        result.error = BootError::kBadVersion;
    }
    if (result.error == BootError::kNone && !log.start(result.parameters)) {
        result.error = BootError::kBadLog;
    }
    return result;
}

Message bootMessage(BootError error) {
    Message message{};
    if (error == BootError::kNone) {
        message.type = MessageType::kReady;
        fillVersions(message);
    } else {
        message.type = MessageType::kBootFailed;
        message.value = static_cast<std::uint32_t>(error);
    }
    return message;
}

void fillVersions(Message& message) {
    message.versions[0] = kBootApiVersion;
    message.versions[1] = kMailboxApiVersion;
    message.versions[2] = kRingApiVersion;
    message.versions[3] = hw::kCommandStreamVersion;
}

}  // namespace vnpu::fw
