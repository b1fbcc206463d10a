// SPDX-License-Identifier: Apache-2.0
#include "driver/control/firmware_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace vnpu::driver {

namespace {

const char* eventName(fw::LogEvent event) {
    switch (event) {
        case fw::LogEvent::kBoot:
            return "boot";
        case fw::LogEvent::kContextCreated:
            return "context created";
        case fw::LogEvent::kContextDestroyed:
            return "context destroyed";
        case fw::LogEvent::kRingCreated:
            return "ring created";
        case fw::LogEvent::kRingDestroyed:
            return "ring destroyed";
        case fw::LogEvent::kJobStart:
            return "job start";
        case fw::LogEvent::kJobEnd:
            return "job end";
        case fw::LogEvent::kFault:
            return "fault";
        case fw::LogEvent::kBadMessage:
            return "bad message";
        case fw::LogEvent::kBadDoorbell:
            return "bad doorbell";
        case fw::LogEvent::kPreemptRequest:
            return "preempt request";
        case fw::LogEvent::kJobPreempted:
            return "job preempted";
        case fw::LogEvent::kJobResumed:
            return "job resumed";
        case fw::LogEvent::kJobStopped:
            return "job stopped";
        case fw::LogEvent::kJobRestarted:
            return "job restarted";
        case fw::LogEvent::kSaveFailed:
            return "save failed";
        case fw::LogEvent::kScheduling:
            return "scheduling";
        case fw::LogEvent::kRingSuspended:
            return "ring suspended";
        case fw::LogEvent::kRingResumed:
            return "ring resumed";
        case fw::LogEvent::kSuspend:
            return "suspend";
        case fw::LogEvent::kResume:
            return "resume";
        case fw::LogEvent::kClockLevel:
            return "clock level";
        case fw::LogEvent::kPowerHold:
            return "power hold";
        case fw::LogEvent::kKeptSaved:
            return "kept context saved";
        case fw::LogEvent::kEngineHang:
            return "engine hang";
        case fw::LogEvent::kStopped:
            return "stopped";
    }
    return "unknown event";
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
