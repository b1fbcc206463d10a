// SPDX-License-Identifier: Apache-2.0
#include "driver/port/device_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "driver/port/register_access.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;

constexpr std::uint32_t kArchMajor = 1;  // of hw_model/regs

Result<std::uint32_t> checkIdentity(DevicePort& port) {
    const std::uint32_t id = readRegister<regs::Id>(port);
    if (id != regs::kDeviceId) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("device id is {:#010x}, expected {:#010x}", id, regs::kDeviceId));
    }
    const std::uint32_t version = readRegister<regs::ArchVersion>(port);
    if (regs::ArchVersion::kMajor.get(version) != kArchMajor) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("architecture version is {}.{}, expected {}.x",
                                regs::ArchVersion::kMajor.get(version),
                                regs::ArchVersion::kMinor.get(version), kArchMajor));
    }
    return version;
}

/// Reads each register once, as a read takes time. The version has been read before.
void readNumbers(DevicePort& port, DeviceInfo& info) {
    const std::uint32_t minor = regs::ArchVersion::kMinor.get(info.archVersion);
    std::uint32_t offset = regs::ArchVersion::kSpec.offset;
    std::uint32_t value = info.archVersion;
    visitDeviceFields(info, [&](auto& member, const regs::FieldSpec& field, double unit,
                                std::uint32_t since) {
        if (minor < since) {
            return;
        }
        if (offset != field.offset) {
            offset = field.offset;
            value = port.read32(offset);
        }
        member = static_cast<std::decay_t<decltype(member)>>(field.get(value) * unit);
    });
    info.residentBytes = info.residentBytes / hw::kPageBytes * hw::kPageBytes;
    info.engineQueueDepth = std::max(info.engineQueueDepth, 1U);
}

/// The levels end at the first one that is not slower than the one before.
void readClockLevels(DevicePort& port, DeviceInfo& info) {
    const std::uint32_t levels = std::min(info.clockLevels, regs::kClockLevelCount);
    info.clockLevelsHz[0] = info.clockHz;
    info.clockLevels = 1;
    while (info.clockLevels < levels) {
        const std::uint64_t hz =
                std::uint64_t{1000} * readRegister<regs::ConfigClockLevel>(port, info.clockLevels);
        if (hz == 0 || hz >= info.clockLevelsHz[info.clockLevels - 1]) {
            break;
        }
        info.clockLevelsHz[info.clockLevels++] = hz;
    }
    info.sustainedLevel = std::min(info.sustainedLevel, info.clockLevels - 1);
}

/// Checks the numbers that the driver divides by or needs at least one of.
Result<void> checkPlausible(const DeviceInfo& info) {
    const bool isPlausible = info.clockHz > 0 && info.macRows > 0 && info.macColumns > 0 &&
                             info.sramBytes > 0 && info.sramBanks > 0 && info.memoryBytes > 0 &&
                             info.ringCount > 0 && info.ringCount <= regs::kRingCount &&
                             info.contextCount > 0 && info.contextCount <= regs::kContextCount;
    if (!isPlausible) {
        return fail(
                ErrorStatus::GENERAL_FAILURE,
                fmt::format("device configuration is invalid: clock {} Hz, array {}x{}, SRAM "
                            "{} bytes in {} "
                            "banks, memory {} bytes, {} rings, {} contexts",
                            info.clockHz, info.macRows, info.macColumns, info.sramBytes,
                            info.sramBanks, info.memoryBytes, info.ringCount, info.contextCount));
    }
    return {};
}

}  // namespace

Result<DeviceInfo> DeviceInfo::read(DevicePort& port) {
    VNPU_TRY_ASSIGN(auto version, checkIdentity(port));
    DeviceInfo info;
    info.archVersion = version;
    readNumbers(port, info);
    readClockLevels(port, info);
    VNPU_TRY(checkPlausible(info));
    return info;
}

}  // namespace vnpu::driver
