// SPDX-License-Identifier: Apache-2.0
#include "driver/control/firmware_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

namespace vnpu::driver {

namespace {

using enum fw::LogEvent;
constexpr std::pair<fw::LogEvent, const char*> kEventNames[] = {
        {kBoot, "boot"},
        {kContextCreated, "context created"},
        {kContextDestroyed, "context destroyed"},
        {kRingCreated, "ring created"},
        {kRingDestroyed, "ring destroyed"},
        {kJobStart, "job start"},
        {kJobEnd, "job end"},
        {kFault, "fault"},
        {kBadMessage, "bad message"},
        {kBadDoorbell, "bad doorbell"},
        {kPreemptRequest, "preempt request"},
        {kJobPreempted, "job preempted"},
        {kJobResumed, "job resumed"},
        {kJobStopped, "job stopped"},
        {kJobRestarted, "job restarted"},
        {kSaveFailed, "save failed"},
        {kScheduling, "scheduling"},
        {kRingSuspended, "ring suspended"},
        {kRingResumed, "ring resumed"},
        {kSuspend, "suspend"},
        {kResume, "resume"},
        {kClockLevel, "clock level"},
        {kPowerHold, "power hold"},
        {kKeptSaved, "kept context saved"},
        {kEngineHang, "engine hang"},
        {kStopped, "stopped"},
};

const char* eventName(fw::LogEvent event) {
    const auto* const found =
            std::ranges::find(kEventNames, event, [](const auto& row) { return row.first; });
    return found == std::end(kEventNames) ? "unknown event" : found->second;
}

/// As readFirmwareLog(), unformatted.
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

}  // namespace

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
            case kJobStart:
            case kJobResumed:
            case kJobRestarted:
                running = {record.b, record.a};
                break;
            case kBoot:
            case kJobEnd:
            case kJobPreempted:
            case kJobStopped:
                running = {};
                break;
            default:
                break;
        }
    }
    return running;
}

}  // namespace vnpu::driver
