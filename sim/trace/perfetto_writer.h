// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vnpu::sim {

/// A named number on a slice.
struct TraceArgument {
    std::string_view name;
    std::uint64_t value = 0;
};

/// Writes a Perfetto trace of track events: a stream of TracePacket messages, timestamps in
/// nanoseconds, one packet sequence. Names are written once and referred to by number (up to
/// kMaxNames, then in full), so memory stays bounded. source of field numbers: the published
/// perfetto_trace.proto.
class PerfettoWriter {
  public:
    explicit PerfettoWriter(std::ostream& out) : out_(out) {}
    ~PerfettoWriter() { flush(); }
    PerfettoWriter(const PerfettoWriter&) = delete;
    PerfettoWriter& operator=(const PerfettoWriter&) = delete;

    /// Orders the processes by their ranks. To be called once, before the first of them.
    void orderProcesses();

    /// A group of tracks with the identifier `track`; its children are ordered by their ranks.
    void addProcess(std::uint64_t track, std::int32_t processId, std::string_view name,
                    std::int32_t rank);
    void addTrack(std::uint64_t track, std::uint64_t parent, std::string_view name,
                  std::int32_t rank);
    /// A track of values; `unit` must not be empty.
    void addCounter(std::uint64_t track, std::uint64_t parent, std::string_view name,
                    std::string_view unit, std::int32_t rank);

    struct Slice {
        std::string_view name{};
        std::string_view category{};
        std::vector<std::uint64_t> flows{};             // flows that continue
        std::vector<std::uint64_t> terminatingFlows{};  // flows that end here
        std::vector<TraceArgument> arguments{};
        std::string_view text{};  // an argument "text"; for instants that quote a line
    };
    void beginSlice(std::uint64_t track, std::uint64_t timeNs, const Slice& slice);
    void endSlice(std::uint64_t track, std::uint64_t timeNs);
    void addInstant(std::uint64_t track, std::uint64_t timeNs, const Slice& slice);
    void setCounter(std::uint64_t track, std::uint64_t timeNs, double value);

    /// Writes all pending packets to the stream.
    void flush();

    static constexpr std::size_t kMaxNames = 65536;  // chosen: names of any one network fit

  private:
    /// Strings of one interned kind, numbered from 1.
    using Names = std::map<std::string, std::uint64_t, std::less<>>;

    std::uint64_t numberOf(Names& names, std::string_view name, int internedField,
                           std::string& interned);
    /// `slice` and `value` may be null.
    void addEvent(std::uint64_t track, std::uint64_t timeNs, int type, const Slice* slice,
                  const double* value = nullptr);
    /// Describes a track; `fill` writes all fields but the identifier.
    template <typename Fill>
    void describe(std::uint64_t track, const Fill& fill);
    void addPacket(const std::string& packet);

    std::ostream& out_;
    std::string buffer_;
    bool isFirst_ = true;
    Names eventNames_;
    Names categories_;
    Names argumentNames_;
};

}  // namespace vnpu::sim
