// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/command_fetcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

constexpr std::uint64_t kStream = 0x100000;

/// `count` commands of changing sizes whose tile is their number, and kEnd.
std::vector<std::byte> numberedStream(std::uint32_t count) {
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < count; ++i) {
        hw::CommandContext context;
        context.tile = i;
        switch (i % 3) {
            case 0:
                writer.add(context, hw::MacConv{});
                break;
            case 1:
                writer.add(context, hw::Opcode::kNop);
                break;
            default:
                writer.add(context, hw::VecSoftmax{});
                break;
        }
    }
    writer.add({}, hw::Opcode::kEnd);
    return writer.takeBytes();
}

CommandFetcher::Stream place(FakeController& device, const std::vector<std::byte>& bytes) {
    std::memcpy(device.memory(kStream, bytes.size()).data(), bytes.data(), bytes.size());
    return {hw::ControllerPort::kPhysical, kStream, static_cast<std::uint32_t>(bytes.size())};
}

}  // namespace

TEST_SUITE_BEGIN("firmware/command_fetcher");

TEST_CASE("commands that span two blocks arrive complete and in order [E-2]") {
    FakeController device;
    CommandFetcher fetcher(device);
    fetcher.start(place(device, numberedStream(300)));
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < 300; ++i) {
        hw::CommandView view;
        REQUIRE(fetcher.next(view) == hw::JobStatus::kOk);
        CHECK(view.header->tile == i);
        CHECK(view.offset == offset);
        offset += view.header->sizeBytes;
        CHECK_FALSE(fetcher.isAtEnd());
    }
    hw::CommandView view;
    REQUIRE(fetcher.next(view) == hw::JobStatus::kOk);
    CHECK(view.header->opcode == hw::Opcode::kEnd);
    CHECK(fetcher.isAtEnd());
    CHECK(fetcher.next(view) == hw::JobStatus::kTruncatedStream);
}

TEST_CASE("a command truncated by the end of the stream is not read beyond it") {
    FakeController device;
    CommandFetcher fetcher(device);
    CommandFetcher::Stream stream = place(device, numberedStream(3));
    stream.sizeBytes = 192 + 40;  // the first command and a part of the second's header
    fetcher.start(stream);
    hw::CommandView view;
    CHECK(fetcher.next(view) == hw::JobStatus::kOk);
    CHECK(fetcher.next(view) == hw::JobStatus::kTruncatedStream);
    CHECK(fetcher.offset() == 192);
}

TEST_CASE("a framing error is reported with its offset") {
    FakeController device;
    CommandFetcher fetcher(device);
    std::vector<std::byte> bytes = numberedStream(60);
    bytes[192 + 2] = std::byte{56};  // the second command's size
    fetcher.start(place(device, bytes));
    hw::CommandView view;
    CHECK(fetcher.next(view) == hw::JobStatus::kOk);
    CHECK(fetcher.next(view) == hw::JobStatus::kBadCommandSize);
    CHECK(fetcher.offset() == 192);
}

TEST_CASE("a bus error in a later block is reported when it is reached") {
    FakeController device;
    CommandFetcher fetcher(device);
    const std::vector<std::byte> bytes = numberedStream(30);
    const std::uint64_t end = FakeController::kMemoryBase + FakeController::kMemoryBytes;
    std::memcpy(device.memory(end - 1024, 1024).data(), bytes.data(), 1024);
    fetcher.start(
            {hw::ControllerPort::kPhysical, end - 1024, static_cast<std::uint32_t>(bytes.size())});
    hw::CommandView view;
    hw::JobStatus status = fetcher.next(view);
    CHECK(status == hw::JobStatus::kOk);
    while (status == hw::JobStatus::kOk) {
        status = fetcher.next(view);
    }
    CHECK(status == hw::JobStatus::kBusError);
    CHECK(fetcher.offset() <= 1024);
}

TEST_CASE("a change of the stream after its fetch has no effect [E-1]") {
    FakeController device;
    CommandFetcher fetcher(device);
    const std::vector<std::byte> bytes = numberedStream(2);
    fetcher.start(place(device, bytes));
    hw::CommandView view;
    REQUIRE(fetcher.next(view) == hw::JobStatus::kOk);
    std::memset(device.memory(kStream, bytes.size()).data(), 0xFF, bytes.size());
    CHECK(view.header->opcode == hw::Opcode::kMacConv);
    REQUIRE(fetcher.next(view) == hw::JobStatus::kOk);
    CHECK(view.header->opcode == hw::Opcode::kNop);
}

TEST_CASE("fetching continues at any offset, including one not fetched yet [E-1]") {
    FakeController device;
    CommandFetcher fetcher(device);
    // 192, 48 and 88 bytes in turn: number 3 * i begins at 328 * i.
    fetcher.start(place(device, numberedStream(300)));
    for (const std::uint32_t i : {60U, 2U, 99U, 0U, 59U, 60U, 61U}) {
        hw::CommandView view;
        REQUIRE(fetcher.seek(328 * i));
        for (std::uint32_t n = 3 * i; n < std::min(300U, 3 * i + 40); ++n) {
            REQUIRE(fetcher.next(view) == hw::JobStatus::kOk);
            CHECK(view.header->tile == n);
        }
    }
}

TEST_CASE("offsets at the stream's end or beyond are refused") {
    FakeController device;
    CommandFetcher fetcher(device);
    const CommandFetcher::Stream stream = place(device, numberedStream(3));
    fetcher.start(stream);
    CHECK_FALSE(fetcher.seek(stream.sizeBytes));
    CHECK_FALSE(fetcher.seek(0xFFFFFFF8));
    CHECK(fetcher.seek(stream.sizeBytes - 48));
    hw::CommandView view;
    CHECK(fetcher.next(view) == hw::JobStatus::kOk);
    CHECK(view.header->opcode == hw::Opcode::kEnd);
    CHECK(fetcher.isAtEnd());
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
