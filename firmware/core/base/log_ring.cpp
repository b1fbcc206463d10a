// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/base/log_ring.h"

#include <bit>
#include <cstddef>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::fw {
namespace {

constexpr std::uint32_t kMinLogBytes = 4096;
constexpr std::uint32_t kMaxLogBytes = 1U << 20;

bool isLogPlace(std::uint64_t address, std::uint32_t sizeBytes) {
    return sizeBytes >= kMinLogBytes && sizeBytes <= kMaxLogBytes &&
           std::has_single_bit(sizeBytes) && address != 0 && address % alignof(LogHeader) == 0 &&
           address < (1ULL << hw::kBusAddressBits) - sizeBytes;
}

}  // namespace

bool LogRing::start(const BootParameters& parameters) {
    recordCount_ = 0;
    written_ = 0;
    if (parameters.logBytes == 0) {
        return true;
    }
    if (!isLogPlace(parameters.logBusAddress, parameters.logBytes)) {
        return false;
    }
    const auto capacity = static_cast<std::uint32_t>((parameters.logBytes - sizeof(LogHeader)) /
                                                     sizeof(LogRecord));
    LogHeader header{};
    header.recordCount = capacity;
    if (writeValue(port_, hw::ControllerPort::kPhysical, parameters.logBusAddress, header) !=
        hw::JobStatus::kOk) {
        return false;
    }
    address_ = parameters.logBusAddress;
    recordCount_ = capacity;
    return true;
}

void LogRing::add(LogEvent event, std::uint32_t a, std::uint64_t b) {
    if (recordCount_ == 0) {
        return;
    }
    port_.charge(kLogCycles);
    const LogRecord record{readCycles(port_), event, a, b, 0};
    const std::uint64_t place =
            address_ + sizeof(LogHeader) + (written_ % recordCount_) * sizeof(LogRecord);
    (void)writeValue(port_, hw::ControllerPort::kPhysical, place, record);
    ++written_;
    (void)writeValue(port_, hw::ControllerPort::kPhysical, address_ + offsetof(LogHeader, written),
                     written_);
}

}  // namespace vnpu::fw
