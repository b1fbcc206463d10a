// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/firmware_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "firmware/api/log.h"

namespace vnpu::driver {

namespace {

const char* nameOf(fw::LogEvent event) {
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
    }
    return "unknown event";
}

}  // namespace

std::vector<std::string> readFirmwareLog(std::span<const std::byte> memory,
                                         std::size_t maxRecords) {
    std::vector<std::string> lines;
    fw::LogHeader header{};
    if (memory.size() < sizeof(header)) {
        return lines;
    }
    std::memcpy(&header, memory.data(), sizeof(header));
    const std::uint64_t capacity = (memory.size() - sizeof(header)) / sizeof(fw::LogRecord);
    if (header.recordCount == 0 || header.recordCount > capacity) {
        return lines;
    }
    const std::uint64_t count =
            std::min<std::uint64_t>({header.written, header.recordCount, maxRecords});
    for (std::uint64_t i = header.written - count; i != header.written; ++i) {
        fw::LogRecord record{};
        const std::uint64_t place = i % header.recordCount;
        std::memcpy(&record, memory.data() + sizeof(header) + place * sizeof(record),
                    sizeof(record));
        lines.push_back(fmt::format("cycle {}: {} {} {:#x}", record.cycle, nameOf(record.event),
                                    record.a, record.b));
    }
    return lines;
}

}  // namespace vnpu::driver
