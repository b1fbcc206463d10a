// SPDX-License-Identifier: Apache-2.0
#include "driver/control/firmware_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace vnpu::driver {

namespace {

/// The names of the events by number.
constexpr std::array<const char*, 34> kEventNames = {nullptr,
                                                     "boot",
                                                     "context created",
                                                     "context destroyed",
                                                     "ring created",
                                                     "ring destroyed",
                                                     "job start",
                                                     "job end",
                                                     "fault",
                                                     "bad message",
                                                     "bad doorbell",
                                                     "preempt request",
                                                     "job preempted",
                                                     "job resumed",
                                                     "job stopped",
                                                     "job restarted",
                                                     "save failed",
                                                     "scheduling",
                                                     "ring suspended",
                                                     "ring resumed",
                                                     "suspend",
                                                     "resume",
                                                     "clock level",
                                                     "power hold",
                                                     "kept context saved",
                                                     nullptr,
                                                     nullptr,
                                                     nullptr,
                                                     nullptr,
                                                     nullptr,
                                                     nullptr,
                                                     nullptr,
                                                     "engine hang",
                                                     "stopped"};
static_assert(static_cast<std::size_t>(fw::LogEvent::kStopped) == kEventNames.size() - 1);

const char* eventName(fw::LogEvent event) {
    const auto number = static_cast<std::size_t>(event);
    const char* const name = number < kEventNames.size() ? kEventNames[number] : nullptr;
    return name == nullptr ? "unknown event" : name;
}

}  // namespace

std::vector<fw::LogRecord> readLogRecords(std::span<const std::byte> memory,
                                          std::size_t maxRecords) {
    std::vector<fw::LogRecord> records;
    fw::LogHeader header{};
    if (memory.size() < sizeof(header)) {
        return records;
    }
    std::memcpy(&header, memory.data(), sizeof(header));
    const std::uint64_t capacity = (memory.size() - sizeof(header)) / sizeof(fw::LogRecord);
    if (header.recordCount == 0 || header.recordCount > capacity) {
        return records;
    }
    const std::uint64_t count =
            std::min<std::uint64_t>({header.written, header.recordCount, maxRecords});
    for (std::uint64_t i = header.written - count; i != header.written; ++i) {
        fw::LogRecord record{};
        const std::uint64_t place = i % header.recordCount;
        std::memcpy(&record, memory.data() + sizeof(header) + place * sizeof(record),
                    sizeof(record));
        records.push_back(record);
    }
    return records;
}

std::vector<std::string> readFirmwareLog(std::span<const std::byte> memory,
                                         std::size_t maxRecords) {
    std::vector<std::string> lines;
    for (const fw::LogRecord& record : readLogRecords(memory, maxRecords)) {
        lines.push_back(fmt::format("cycle {}: {} {} {:#x}", record.cycle, eventName(record.event),
                                    record.a, record.b));
    }
    return lines;
}

RunningJob findRunningJob(std::span<const std::byte> memory) {
    RunningJob running;
    for (const fw::LogRecord& record : readLogRecords(memory, SIZE_MAX)) {
        switch (record.event) {
            case fw::LogEvent::kJobStart:
            case fw::LogEvent::kJobResumed:
            case fw::LogEvent::kJobRestarted:
                running = {record.b, record.a};
                break;
            case fw::LogEvent::kBoot:
            case fw::LogEvent::kJobEnd:
            case fw::LogEvent::kJobPreempted:
            case fw::LogEvent::kJobStopped:
                running = {};
                break;
            default:
                break;
        }
    }
    return running;
}

}  // namespace vnpu::driver
