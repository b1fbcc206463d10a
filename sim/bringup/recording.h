// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file of all that passed between a host and a device:
//
//   8 bytes "VNPUREC1", then blocks: u32 bytes, u64 checksum of the bytes, bytes. The bytes of all
//   blocks are one stream: u32 flags (kTimingOnly), the configuration as a TOML text with its
//   length, events, and the end event with their number.
//   An event: one byte (BusEvent::Kind, plus kAnsweredBit), picoseconds since the last event (may
//   be negative: zigzag), and by kind: offset and value; address, size and bytes.
//
// Lengths, times, offsets, addresses and sizes are LEB128, all others little endian.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/bringup/bus_observer.h"

namespace vnpu::sim {

struct BusEvent {
    enum class Kind : std::uint8_t {
        kEnd = 0,
        kRegisterRead = 1,
        kRegisterWrite = 2,
        kMemoryRead = 3,
        kMemoryWrite = 4,
        kInterrupt = 5,
        kResidentWrite = 6,
        kPowerCycle = 7,
    };

    Kind kind = Kind::kEnd;
    bool isAnswered = false;    // kInterrupt: the line is high
    std::uint64_t time = 0;     // picoseconds
    std::uint64_t address = 0;  // or a register's offset
    std::uint32_t value = 0;    // of a register
    std::uint64_t size = 0;     // of the access to memory
    /// What was read. What was written, or its digest() if it is longer than kLongestWrite.
    std::span<const std::byte> data;
};

struct Recording {
    /// Longer ones are recorded by a digest, since a replay only compares them.
    static constexpr std::uint64_t kLongestWrite = 256;

    hw::NpuConfig config;
    std::vector<BusEvent> events;   // without kEnd
    std::vector<std::byte> stream;  // that the events refer to
};

/// A 64-bit checksum.
std::uint64_t digest(std::span<const std::byte> data);

/// Reads a recording. Throws InputError for a file that cannot be read, is damaged, or ends early.
Recording readRecording(const std::string& path);
/// The same from the file's bytes; `name` is used in messages.
Recording parseRecording(std::span<const std::byte> file, const std::string& name);

/// Writes what it observes to a file.
class Recorder : public BusObserver {
  public:
    /// Throws InputError if the file cannot be opened.
    Recorder(const std::string& path, const hw::NpuConfig& config);

    void registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                      bool isAnswered) override;
    void registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                         bool isAnswered) override;
    void memoryRead(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                    bool isAnswered) override;
    void memoryWritten(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                       bool isAnswered) override;
    void interruptLine(std::uint64_t time, bool isHigh) override;
    void residentWritten(std::uint64_t time, std::uint64_t offset,
                         std::span<const std::byte> data) override;
    void powerCycled(std::uint64_t time) override;
    /// Throws std::runtime_error if the file could not be written.
    void finish(std::uint64_t time) override;

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void begin(BusEvent::Kind kind, bool isAnswered, std::uint64_t time);
    void putNumber(std::uint64_t value);
    void putBytes(std::span<const std::byte> bytes);
    void putBlock();

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
    std::vector<std::byte> block_;
    std::uint64_t lastTime_ = 0;
    std::uint64_t events_ = 0;
};

}  // namespace vnpu::sim
