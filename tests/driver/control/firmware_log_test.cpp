// SPDX-License-Identifier: Apache-2.0
#include "driver/control/firmware_log.h"

#include <doctest/doctest.h>

#include <cstring>

#include "firmware/api/log.h"

using vnpu::driver::readFirmwareLog;
namespace fw = vnpu::fw;

TEST_SUITE_BEGIN("driver/control/firmware_log");

namespace {

/// A ring of four records after `written` writes, each with its number as cycle.
std::vector<std::byte> logOf(std::uint64_t written, std::uint32_t recordCount = 4) {
    std::vector<std::byte> memory(sizeof(fw::LogHeader) + 4 * sizeof(fw::LogRecord));
    fw::LogHeader header{};
    header.recordCount = recordCount;
    header.written = written;
    std::memcpy(memory.data(), &header, sizeof(header));
    for (std::uint64_t i = 0; i < written; ++i) {
        fw::LogRecord record{};
        record.cycle = i;
        record.event = fw::LogEvent::kJobStart;
        record.a = 2;
        record.b = 17;
        std::memcpy(memory.data() + sizeof(header) + i % 4 * sizeof(record), &record,
                    sizeof(record));
    }
    return memory;
}

}  // namespace

TEST_CASE("records come oldest first, without the overwritten ones [E-7]") {
    const auto lines = readFirmwareLog(logOf(6), 100);

    REQUIRE_EQ(lines.size(), 4);
    CHECK_EQ(lines.front(), "cycle 2: job start 2 0x11");
    CHECK_EQ(lines.back(), "cycle 5: job start 2 0x11");
}

TEST_CASE("no more records than asked for, the newest ones [E-7]") {
    const auto lines = readFirmwareLog(logOf(3), 2);

    REQUIRE_EQ(lines.size(), 2);
    CHECK_EQ(lines[0], "cycle 1: job start 2 0x11");
}

TEST_CASE("an invalid header gives no lines [E-7]") {
    CHECK(readFirmwareLog(logOf(0), 8).empty());
    CHECK(readFirmwareLog(logOf(3, 5), 8).empty());
    CHECK(readFirmwareLog(logOf(3, 0), 8).empty());
    CHECK(readFirmwareLog({}, 8).empty());
}

TEST_SUITE_END();
