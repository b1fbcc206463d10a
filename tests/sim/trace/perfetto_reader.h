// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vnpu::test {

/// One track event of a trace, names resolved.
struct PerfettoEvent {
    std::uint64_t timeNs = 0;
    std::uint64_t track = 0;
    int type = 0;  // 1 begin, 2 end, 3 instant, 4 counter
    std::string name;
    std::string category;
    std::vector<std::uint64_t> flows;
    std::vector<std::uint64_t> terminatingFlows;
    std::map<std::string, std::uint64_t> arguments;
    std::string text;
    double value = 0.0;
};

struct PerfettoTrack {
    std::string name;
    std::uint64_t parent = 0;
    std::int32_t processId = 0;  // 0: no process
    bool isCounter = false;
    std::string unit;
};

/// A trace decoded with protozero's reader, independent of the writer's code.
struct PerfettoTrace {
    std::map<std::uint64_t, PerfettoTrack> tracks;
    std::vector<PerfettoEvent> events;  // in file order
    bool startsCleared = false;         // the first packet clears the incremental state
    std::size_t packets = 0;

    /// Events of the tracks with this name, in file order.
    std::vector<PerfettoEvent> on(const std::string& track) const;
    std::string pathOf(std::uint64_t track) const;  // "npu half/mac"
};

/// Throws std::runtime_error for a trace that a reader of the format could not read: an unknown
/// name number, an event of a track that no packet described, a packet without sequence.
PerfettoTrace readPerfetto(const std::string& bytes);

/// The first violation of a rule of track events, or empty: times on a track do not decrease, every
/// end has a begin, nothing stays open, counters and slices have separate tracks.
std::string findPerfettoError(const PerfettoTrace& trace);

}  // namespace vnpu::test
