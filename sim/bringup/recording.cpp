// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/recording.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/config/config_text.h"
#include "sim/config/load_config.h"

namespace vnpu::sim {

namespace {

constexpr std::string_view kRecordingMagic = "VNPUREC1";
constexpr std::size_t kBlockBytes =
        std::size_t{256} * 1024;  // chosen: one write of the file system
constexpr std::uint32_t kTimingOnlyFlag = 1U << 0;
constexpr std::byte kAnsweredBit{0x80};

template <typename Value>
void appendValue(std::vector<std::byte>& out, Value value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    out.insert(out.end(), bytes, bytes + sizeof(value));
}

/// Reads from a span and throws InputError beyond its end.
class StreamReader {
  public:
    StreamReader(std::span<const std::byte> bytes, const std::string& name)
        : bytes_(bytes), name_(name) {}

    bool isAtEnd() const { return at_ == bytes_.size(); }

    [[noreturn]] void fail(std::string_view what) const {
        throw InputError(fmt::format("{}: {} at byte {} of the recording", name_, what, at_));
    }

    std::span<const std::byte> take(std::uint64_t count) {
        if (count > bytes_.size() - at_) {
            fail("unexpected end");
        }
        const auto part = bytes_.subspan(at_, count);
        at_ += count;
        return part;
    }

    template <typename Value>
    Value value() {
        Value result;
        std::memcpy(&result, take(sizeof(result)).data(), sizeof(result));
        return result;
    }

    std::uint64_t number() {
        constexpr unsigned kBits = 7;
        std::uint64_t result = 0;
        for (unsigned shift = 0; shift < 64; shift += kBits) {
            const auto byte = static_cast<std::uint64_t>(value<std::byte>());
            result |= (byte & 0x7F) << shift;
            if ((byte & 0x80) == 0) {
                return result;
            }
        }
        fail("a number of more than 64 bits");
    }

  private:
    std::span<const std::byte> bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
};

/// The stream in the blocks of a file.
std::vector<std::byte> streamOf(std::span<const std::byte> file, const std::string& name) {
    if (file.size() < kRecordingMagic.size() ||
        std::memcmp(file.data(), kRecordingMagic.data(), kRecordingMagic.size()) != 0) {
        throw InputError(fmt::format("{}: not a recording, expected {} at its begin", name,
                                     kRecordingMagic));
    }
    StreamReader reader(file.subspan(kRecordingMagic.size()), name);
    std::vector<std::byte> stream;
    stream.reserve(file.size());
    while (!reader.isAtEnd()) {
        const auto size = reader.value<std::uint32_t>();
        const auto checksum = reader.value<std::uint64_t>();
        const auto block = reader.take(size);
        if (digest(block) != checksum) {
            reader.fail("a block with a wrong checksum");
        }
        stream.insert(stream.end(), block.begin(), block.end());
    }
    return stream;
}

void readBody(StreamReader& reader, BusEvent& event) {
    using Kind = BusEvent::Kind;
    switch (event.kind) {
        case Kind::kRegisterRead:
        case Kind::kRegisterWrite:
            event.address = static_cast<std::uint32_t>(reader.number());
            event.value = reader.value<std::uint32_t>();
            return;
        case Kind::kMemoryRead:
        case Kind::kResidentWrite:
        case Kind::kMemoryWrite: {
            event.address = reader.number();
            event.size = reader.number();
            const bool isDigest =
                    event.kind == Kind::kMemoryWrite && event.size > Recording::kLongestWrite;
            event.data = reader.take(isDigest ? sizeof(std::uint64_t) : event.size);
            return;
        }
        case Kind::kInterrupt:
        case Kind::kPowerCycle:
        case Kind::kEnd:
            return;
    }
    reader.fail("an unknown event");
}

}  // namespace

std::uint64_t digest(std::span<const std::byte> data) {
    return fnv1a({reinterpret_cast<const char*>(data.data()), data.size()});
}

Recording parseRecording(std::span<const std::byte> file, const std::string& name) {
    Recording recording;
    recording.stream = streamOf(file, name);
    StreamReader reader(recording.stream, name);
    const auto flags = reader.value<std::uint32_t>();
    if ((flags & ~kTimingOnlyFlag) != 0) {
        reader.fail(fmt::format("flags {:#x}, expected 0 or {}", flags, kTimingOnlyFlag));
    }
    const auto text = reader.take(reader.number());
    recording.config = parseConfig({reinterpret_cast<const char*>(text.data()), text.size()},
                                   name + ": configuration");
    recording.config.timingOnly = (flags & kTimingOnlyFlag) != 0;
    std::uint64_t time = 0;
    for (;;) {
        BusEvent event;
        const auto first = reader.value<std::byte>();
        event.kind = static_cast<BusEvent::Kind>(first & ~kAnsweredBit);
        event.isAnswered = (first & kAnsweredBit) != std::byte{0};
        const std::uint64_t step = reader.number();
        time += step >> 1 ^ -(step & 1);
        event.time = time;
        readBody(reader, event);
        if (event.kind == BusEvent::Kind::kEnd) {
            break;
        }
        recording.events.push_back(event);
    }
    if (reader.number() != recording.events.size() || !reader.isAtEnd()) {
        reader.fail("another number of events than announced");
    }
    return recording;
}

Recording readRecording(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return parseRecording(std::as_bytes(std::span(bytes)), path);
}

Recorder::Recorder(const std::string& path, const hw::NpuConfig& config)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) {
        throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
    }
    std::fwrite(kRecordingMagic.data(), 1, kRecordingMagic.size(), file_.get());
    const std::string text = configText(config);
    appendValue(block_, config.timingOnly ? kTimingOnlyFlag : std::uint32_t{0});
    putNumber(text.size());
    putBytes(std::as_bytes(std::span(text)));
}

void Recorder::putNumber(std::uint64_t value) {
    constexpr unsigned kBits = 7;
    for (; value >> kBits != 0; value >>= kBits) {
        block_.push_back(static_cast<std::byte>(value | 0x80));
    }
    block_.push_back(static_cast<std::byte>(value));
}

void Recorder::putBytes(std::span<const std::byte> bytes) {
    block_.insert(block_.end(), bytes.begin(), bytes.end());
}

void Recorder::putBlock() {
    const auto size = static_cast<std::uint32_t>(block_.size());
    const std::uint64_t checksum = digest(block_);
    std::fwrite(&size, sizeof(size), 1, file_.get());
    std::fwrite(&checksum, sizeof(checksum), 1, file_.get());
    std::fwrite(block_.data(), 1, block_.size(), file_.get());
    block_.clear();
}

void Recorder::begin(BusEvent::Kind kind, bool isAnswered, std::uint64_t time) {
    if (block_.size() >= kBlockBytes) {
        putBlock();
    }
    block_.push_back(static_cast<std::byte>(kind) | (isAnswered ? kAnsweredBit : std::byte{0}));
    const std::uint64_t step = time - lastTime_;
    putNumber(step << 1 ^ -(step >> 63));
    lastTime_ = time;
    ++events_;
}

void Recorder::registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                            bool isAnswered) {
    begin(BusEvent::Kind::kRegisterRead, isAnswered, time);
    putNumber(offset);
    appendValue(block_, value);
}

void Recorder::registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                               bool isAnswered) {
    begin(BusEvent::Kind::kRegisterWrite, isAnswered, time);
    putNumber(offset);
    appendValue(block_, value);
}

void Recorder::memoryRead(std::uint64_t time, std::uint64_t address,
                          std::span<const std::byte> data, bool isAnswered) {
    begin(BusEvent::Kind::kMemoryRead, isAnswered, time);
    putNumber(address);
    putNumber(data.size());
    putBytes(data);
}

void Recorder::memoryWritten(std::uint64_t time, std::uint64_t address,
                             std::span<const std::byte> data, bool isAnswered) {
    begin(BusEvent::Kind::kMemoryWrite, isAnswered, time);
    putNumber(address);
    putNumber(data.size());
    if (data.size() > Recording::kLongestWrite) {
        appendValue(block_, digest(data));
    } else {
        putBytes(data);
    }
}

void Recorder::interruptLine(std::uint64_t time, bool isHigh) {
    begin(BusEvent::Kind::kInterrupt, isHigh, time);
}

void Recorder::residentWritten(std::uint64_t time, std::uint64_t offset,
                               std::span<const std::byte> data) {
    begin(BusEvent::Kind::kResidentWrite, true, time);
    putNumber(offset);
    putNumber(data.size());
    putBytes(data);
}

void Recorder::powerCycled(std::uint64_t time) {
    begin(BusEvent::Kind::kPowerCycle, true, time);
}

void Recorder::finish(std::uint64_t time) {
    const std::uint64_t events = events_;
    begin(BusEvent::Kind::kEnd, false, time);
    putNumber(events);
    putBlock();
    if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) {
        throw std::runtime_error(fmt::format("{}: cannot be written", path_));
    }
}

}  // namespace vnpu::sim
