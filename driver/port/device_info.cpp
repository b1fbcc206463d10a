// SPDX-License-Identifier: Apache-2.0
#include "driver/port/device_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

/// The numbers that the driver divides by or needs at least one of, and the most of each.
struct Limit {
    regs::FieldSpec field;
    std::uint32_t most = UINT32_MAX;
};
constexpr Limit kLimits[] = {{regs::ConfigMac::kRows},
                             {regs::ConfigMac::kColumns},
                             {regs::ConfigMacRates::kFloatDivisor},
                             {regs::ConfigMacRates::kOutputLanes},
                             {regs::ConfigAccumulator::kKib},
                             {regs::ConfigSram::kKib},
                             {regs::ConfigSram::kBanks},
                             {regs::ConfigSramPort::kBytesPerCycle},
                             {regs::ConfigVector::kLanes8},
                             {regs::ConfigVector::kLanes32},
                             {regs::ConfigDma::kChannels},
                             {regs::ConfigDma::kBytesPerCycle},
                             {regs::ConfigDramBandwidth::kSpec.whole()},
                             {regs::ConfigClock::kSpec.whole()},
                             {regs::ConfigMemory::kSpec.whole()},
                             {regs::ConfigQueues::kRings, regs::kRingCount},
                             {regs::ConfigQueues::kContexts, regs::kContextCount}};

Result<void> checkLimit(const regs::FieldSpec& field, std::uint32_t value) {
    const auto* limit =
            std::find_if(std::begin(kLimits), std::end(kLimits), [&](const Limit& candidate) {
                return candidate.field.offset == field.offset && candidate.field.lsb == field.lsb;
            });
    if (limit == std::end(kLimits) || (value > 0 && value <= limit->most)) {
        return {};
    }
    const std::string_view ofRegister = regs::findRegister(field.offset).spec->name;
    const bool isWhole = field.name == ofRegister;
    return fail(ErrorStatus::GENERAL_FAILURE,
                fmt::format("the device's register {}{}{} is {}, expected {}", ofRegister,
                            isWhole ? "" : ".", isWhole ? "" : field.name, value,
                            limit->most == UINT32_MAX ? "at least 1"
                                                      : fmt::format("1 to {}", limit->most)));
}

/// Reads each register once, as a read takes time. The version has been read before.
Result<void> readNumbers(DevicePort& port, DeviceInfo& info) {
    Result<void> result;
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
        if (result) {
            result = checkLimit(field, field.get(value));
        }
    });
    info.residentBytes = info.residentBytes / hw::kPageBytes * hw::kPageBytes;
    info.engineQueueDepth = std::max(info.engineQueueDepth, 1U);
    return result;
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

}  // namespace

Result<DeviceInfo> DeviceInfo::read(DevicePort& port) {
    VNPU_TRY_ASSIGN(auto version, checkIdentity(port));
    DeviceInfo info;
    info.archVersion = version;
    VNPU_TRY(readNumbers(port, info));
    readClockLevels(port, info);
    return info;
}

}  // namespace vnpu::driver
