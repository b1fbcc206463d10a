// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/command_writer.h"
#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

constexpr TokenWait wait(std::uint32_t count, Engine engine) {
    return {count & 0xFFFFFF, static_cast<std::uint8_t>(engine)};
}

/// Reads one command back and compares its payload with what was written.
template <typename Payload>
void checkRoundTrip(Engine engine, const Payload& payload, std::size_t sizeBytes) {
    const TokenWait waits[] = {wait(12, Engine::kDma0), wait(0xFFFFFF, Engine::kDma3)};
    CommandWriter writer;
    writer.add({engine, 7, 9, waits}, payload);
    CHECK(writer.bytes().size() == sizeBytes);

    CommandReader reader(writer.bytes());
    CommandView view;
    REQUIRE(reader.next(view));
    CHECK(view.offset == 0);
    CHECK(view.header->opcode == OpcodeOf<Payload>::kValue);
    CHECK(view.header->sizeBytes == sizeBytes);
    CHECK(view.header->engine == engine);
    CHECK(view.header->operation == 7);
    CHECK(view.header->tile == 9);
    CHECK(view.header->waitCount == 2);
    CHECK(view.header->waits[0].engine == 0);
    CHECK(view.header->waits[0].count == 12);
    CHECK(view.header->waits[1].engine == 3);
    CHECK(view.header->waits[1].count == 0xFFFFFF);
    const auto back = view.as<Payload>();
    CHECK(std::ranges::equal(std::as_bytes(std::span(&back, 1)),
                             std::as_bytes(std::span(&payload, 1))));
    CHECK_FALSE(reader.next(view));
    CHECK(reader.status() == JobStatus::kOk);
}

/// A stream of the sample commands of every engine.
std::vector<std::byte> sampleStream() {
    CommandWriter writer;
    writer.add({Engine::kDma0}, sampleTransfer());
    writer.add({Engine::kDma1}, sampleFill());
    writer.add({Engine::kMac}, sampleConv());
    writer.add({Engine::kVector}, samplePool());
    writer.add({Engine::kVector}, sampleEltwise());
    writer.add({Engine::kVector}, sampleUnary());
    writer.add({Engine::kVector}, sampleSoftmax());
    writer.add({Engine::kVector}, sampleReduce());
    writer.add({Engine::kController}, emptyCheckpoint(5));
    writer.add({}, sampleTimestamp());
    writer.add({}, Opcode::kEnd);
    return writer.takeBytes();
}

JobStatus readAll(std::span<const std::byte> stream) {
    CommandReader reader(stream);
    CommandView view;
    while (reader.next(view)) {
    }
    return reader.status();
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_codec");

// Sizes: 48 bytes of header and the payload's own size.
TEST_CASE("every payload is read as it was written [E-1]") {
    checkRoundTrip(Engine::kMac, sampleConv(), 48 + 144);
    checkRoundTrip(Engine::kDma2, sampleTransfer(), 48 + 80);
    checkRoundTrip(Engine::kDma2, sampleFill(), 48 + 56);
    checkRoundTrip(Engine::kVector, samplePool(), 48 + 56);
    checkRoundTrip(Engine::kVector, sampleEltwise(), 48 + 128);
    checkRoundTrip(Engine::kVector, sampleUnary(), 48 + 64);
    checkRoundTrip(Engine::kVector, sampleSoftmax(), 48 + 40);
    checkRoundTrip(Engine::kVector, sampleReduce(), 48 + 40);
    checkRoundTrip(Engine::kController, sampleTimestamp(), 48 + 16);
    checkRoundTrip(Engine::kController, emptyCheckpoint(3), 48 + 160);
}

TEST_CASE("the header's bytes are laid out as specified [E-1]") {
    const TokenWait waits[] = {wait(0x010203, Engine::kMac)};
    CommandWriter writer;
    writer.add({Engine::kVector, 0x11223344, 0x55667788, waits}, samplePool());
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(writer.bytes()[i]); };
    CHECK(at(0) == 0x30);  // opcode
    CHECK(at(1) == 0x00);
    CHECK(at(2) == 104);  // size
    CHECK(at(4) == 5);    // engine
    CHECK(at(5) == 1);    // waits used
    CHECK(at(8) == 0x44);
    CHECK(at(12) == 0x88);
    CHECK(at(24) == 0x03);  // count, low byte first, then the engine
    CHECK(at(26) == 0x01);
    CHECK(at(27) == 4);
}

TEST_CASE("the writer counts commands and releases its bytes") {
    CommandWriter writer;
    writer.add({}, Opcode::kBarrier);
    writer.add({}, Opcode::kEnd);
    CHECK(writer.commandCount() == 2);
    CHECK(writer.takeBytes().size() == 96);
}

TEST_CASE("an empty stream ends immediately without an error") {
    CHECK(readAll({}) == JobStatus::kOk);
}

TEST_CASE("a stream is framed command by command with its offsets") {
    CommandWriter writer;
    writer.add({}, Opcode::kNop);
    writer.add({Engine::kMac}, sampleConv());
    writer.add({}, Opcode::kEnd);
    CommandReader reader(writer.bytes());
    CommandView view;
    REQUIRE(reader.next(view));
    CHECK(view.offset == 0);
    REQUIRE(reader.next(view));
    CHECK(view.offset == 48);
    REQUIRE(reader.next(view));
    CHECK(view.offset == 240);
    CHECK_FALSE(reader.next(view));
    CHECK(reader.offset() == 288);
    CHECK(reader.status() == JobStatus::kOk);
}

TEST_CASE("a truncated header is a truncated stream") {
    std::vector<std::byte> bytes = sampleStream();
    bytes.resize(40);
    CHECK(readAll(bytes) == JobStatus::kTruncatedStream);
}

TEST_CASE("a truncated payload is a truncated stream") {
    std::vector<std::byte> bytes = sampleStream();
    bytes.resize(48 + 72);
    CHECK(readAll(bytes) == JobStatus::kTruncatedStream);
}

TEST_CASE("an unknown opcode stops the reader at its offset") {
    std::vector<std::byte> bytes = sampleStream();
    bytes[128] = std::byte{0x7F};  // opcode of the second command
    CommandReader reader(bytes);
    CommandView view;
    REQUIRE(reader.next(view));
    CHECK_FALSE(reader.next(view));
    CHECK(reader.status() == JobStatus::kBadOpcode);
    CHECK(reader.offset() == 128);
    CHECK_FALSE(reader.next(view));
}

TEST_CASE("a size that is not a multiple of eight is misaligned") {
    std::vector<std::byte> bytes = sampleStream();
    bytes[2] = std::byte{129};
    CHECK(readAll(bytes) == JobStatus::kMisaligned);
}

TEST_CASE("a size that does not match the opcode is refused") {
    std::vector<std::byte> bytes = sampleStream();
    bytes[2] = std::byte{136};
    CHECK(readAll(bytes) == JobStatus::kBadCommandSize);
}

TEST_CASE("a size of zero does not stall the reader") {
    std::vector<std::byte> bytes = sampleStream();
    bytes[2] = std::byte{0};
    CHECK(readAll(bytes) == JobStatus::kBadCommandSize);
}

TEST_CASE("a stream that does not start at a multiple of eight is misaligned") {
    std::vector<std::byte> bytes(4);
    const std::vector<std::byte> stream = sampleStream();
    bytes.insert(bytes.end(), stream.begin(), stream.end());
    CHECK(readAll(std::span(bytes).subspan(4)) == JobStatus::kMisaligned);
}

TEST_CASE("random bytes never make reader, validator or disassembler misbehave [E-1]") {
    std::mt19937 random(20240611);
    std::vector<std::byte> bytes(4096);
    for (int round = 0; round < 500; ++round) {
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(random() & 0xFF);
        }
        CommandReader reader(bytes);
        CommandView view;
        while (reader.next(view)) {
            (void)validateCommand(view, sampleLimits());
        }
        CHECK(reader.offset() <= bytes.size());
    }
}

TEST_CASE("streams with random bytes in valid commands never make them misbehave [E-1]") {
    std::mt19937 random(7);
    const std::vector<std::byte> valid = sampleStream();
    std::size_t refused = 0;
    for (int round = 0; round < 20000; ++round) {
        std::vector<std::byte> bytes = valid;
        for (unsigned n = random() % 4 + 1; n > 0; --n) {
            bytes[random() % bytes.size()] = static_cast<std::byte>(random() & 0xFF);
        }
        CommandReader reader(bytes);
        CommandView view;
        while (reader.next(view)) {
            refused += validateCommand(view, sampleLimits()) != JobStatus::kOk ? 1 : 0;
            CHECK_FALSE(disassemble(view).empty());
        }
    }
    CHECK(refused > 1000);  // the rules were triggered, not bypassed
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test
