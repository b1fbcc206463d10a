// SPDX-License-Identifier: Apache-2.0
#include "driver/control/boot.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "driver/port/register_access.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;

constexpr std::chrono::seconds kBootTimeout{1};  // chosen: a boot takes microseconds
constexpr std::uint32_t kLogBytes = 16 * 1024;   // chosen: about five hundred records
// chosen: far more often than the driver reads the heartbeat (progressTimeout)
constexpr std::uint64_t kHeartbeatPerSecond = 1000;
// chosen: 2 ms; a healthy engine moves in every cycle
constexpr std::uint64_t kHangsPerSecond = 500;

constexpr std::uint32_t lowWord(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
constexpr std::uint32_t highWord(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

Result<void> checkVersion(const char* what, std::uint32_t theirs, std::uint32_t ours) {
    if (fw::majorOf(theirs) != fw::majorOf(ours)) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("firmware's {} version is {:#010x}, expected {:#010x}", what,
                                theirs, ours));
    }
    return {};
}

}  // namespace

Result<BootMemory> BootMemory::create(DevicePort& port, LiveCounters& counters,
                                      const DeviceInfo& info) {
    VNPU_TRY_ASSIGN(auto memory, DmaAllocation::create(port, counters, kBytes));
    VNPU_TRY_ASSIGN(auto log, DmaAllocation::create(port, counters, kLogBytes));
    fw::BootParameters boot{};
    boot.magic = fw::kBootMagic;
    boot.sizeBytes = sizeof(fw::BootParameters);
    boot.bootApiVersion = fw::kBootApiVersion;
    boot.mailboxApiVersion = fw::kMailboxApiVersion;
    boot.ringApiVersion = fw::kRingApiVersion;
    boot.commandStreamVersion = info.commandStreamVersion;
    boot.logBytes = kLogBytes;
    boot.logBusAddress = log.busAddress();
    boot.heartbeatIntervalCycles = info.clockHz / kHeartbeatPerSecond;
    boot.dumpBusAddress = memory.busAddress() + kDumpOffset;
    boot.watchdogCycles = info.clockHz / kHangsPerSecond;
    std::memcpy(memory.bytes().data(), &boot, sizeof(boot));
    return BootMemory(std::move(memory), std::move(log));
}

std::uint64_t BootMemory::sizeBytes() {
    return hw::roundUp(kBytes, hw::kPageBytes) + hw::roundUp(kLogBytes, hw::kPageBytes);
}

void holdInReset(DevicePort& port) {
    writeRegister<regs::IrqMask>(port, 0);
    writeRegister<regs::Control>(port, regs::Control::kReset.put(1));
}

Result<void> bootFirmware(DevicePort& port, const BootMemory& memory, const DeviceInfo& info,
                          MailboxClient& mailbox) {
    mailbox.expectBoot();
    std::uint32_t allInterrupts = 0;
    for (const regs::FieldSpec& field : regs::IrqStatus::kFields) {
        allInterrupts |= field.mask();
    }
    writeRegister<regs::Control>(port, regs::Control::kReset.put(1));
    writeRegister<regs::IrqStatus>(port, allInterrupts);  // pending from before
    writeRegister<regs::IrqMask>(port, allInterrupts);
    writeRegister<regs::BootParametersLo>(port, lowWord(memory.parametersBusAddress()));
    writeRegister<regs::BootParametersHi>(port, highWord(memory.parametersBusAddress()));
    writeRegister<regs::Control>(port, 0);
    writeRegister<regs::Control>(port, regs::Control::kBoot.put(1));

    VNPU_TRY_ASSIGN(auto message, mailbox.waitForBoot(kBootTimeout));
    if (message.type != fw::MessageType::kReady) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("firmware refuses to boot: error {}", message.value));
    }
    VNPU_TRY(checkVersion("boot", message.versions[0], fw::kBootApiVersion));
    VNPU_TRY(checkVersion("mailbox", message.versions[1], fw::kMailboxApiVersion));
    VNPU_TRY(checkVersion("ring", message.versions[2], fw::kRingApiVersion));
    if (message.versions[3] != info.commandStreamVersion) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("firmware takes command stream {}, the engines take {}",
                                message.versions[3], info.commandStreamVersion));
    }
    return {};
}

}  // namespace vnpu::driver
