// SPDX-License-Identifier: Apache-2.0
// Recordings from the fuzzer. The first byte selects a whole file, or a stream that gets the head
// and the checksum of its only block here.
#include <cstring>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/bringup/recording.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

void appendBytes(std::vector<std::byte>& file, const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    file.insert(file.end(), bytes, bytes + size);
}

void runRecording(std::span<const uint8_t> input) {
    if (input.empty()) {
        return;
    }
    const auto body = std::as_bytes(input.subspan(1));
    std::vector<std::byte> file;
    if (input[0] % 2 == 0) {
        const auto size = static_cast<std::uint32_t>(body.size());
        const std::uint64_t checksum = sim::digest(body);
        appendBytes(file, "VNPUREC1", 8);
        appendBytes(file, &size, sizeof(size));
        appendBytes(file, &checksum, sizeof(checksum));
    }
    appendBytes(file, body.data(), body.size());
    try {
        const sim::Recording recording = sim::parseRecording(file, "x");
        for (const sim::BusEvent& event : recording.events) {
            require(event.data.size() <= file.size(), "an event with more bytes than the file");
        }
    } catch (const sim::InputError& error) {
        require(std::string(error.what()).find('\n') == std::string::npos,
                "a message of several lines");
    }
}

}  // namespace

const Target kRecording{"recording", runRecording};

}  // namespace vnpu::fuzz
