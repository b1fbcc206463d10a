// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/recording.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/config/config_text.h"
#include "sim/config/load_config.h"
#include "tests/support/program.h"

using namespace vnpu::sim;
using vnpu::test::readFile;
using vnpu::test::TemporaryFolder;

namespace {

const std::array<std::byte, 3> kBytes = {std::byte{1}, std::byte{2}, std::byte{3}};

/// The file of a recording with one event of each kind.
std::string smallRecording(const TemporaryFolder& folder) {
    const std::string path = folder / "small.rec";
    vnpu::hw::NpuConfig config = loadConfig("mobile");
    config.timingOnly = true;
    Recorder recorder(path, config);
    const std::vector<std::byte> longWrite(1000, std::byte{7});
    recorder.registerRead(1000, 0x44, 2, true);
    recorder.registerWritten(2000, 0xABC, 5, false);
    recorder.memoryRead(9000, 0x8000'0000, kBytes, true);
    recorder.memoryWritten(8000, 0x8000'1000, kBytes, false);
    recorder.memoryWritten(8000, 0x8000'2000, longWrite, true);
    recorder.interruptLine(8500, true);
    recorder.residentWritten(8600, 64, kBytes);
    recorder.powerCycled(8700);
    recorder.finish(9000);
    return readFile(path);
}

Recording parse(const std::string& file) {
    return parseRecording(std::as_bytes(std::span(file)), "test");
}

}  // namespace

TEST_SUITE_BEGIN("sim/bringup/recording");

TEST_CASE("a recording has the configuration and all events in order") {
    const TemporaryFolder folder;
    const Recording recording = parse(smallRecording(folder));
    CHECK(recording.config.name == "mobile");
    CHECK(recording.config.timingOnly);
    CHECK(configText(recording.config) == configText(loadConfig("mobile")));
    const auto& events = recording.events;
    REQUIRE(events.size() == 8);
    using Kind = BusEvent::Kind;
    CHECK(events[0].kind == Kind::kRegisterRead);
    CHECK(events[0].time == 1000);
    CHECK(events[0].address == 0x44);
    CHECK(events[0].value == 2);
    CHECK(events[0].isAnswered);
    CHECK(events[1].kind == Kind::kRegisterWrite);
    CHECK_FALSE(events[1].isAnswered);
    CHECK(events[2].size == 3);
    CHECK(events[2].data[2] == std::byte{3});
    CHECK(events[3].time == 8000);
    CHECK(events[3].address == 0x8000'1000);
    CHECK(events[4].size == 1000);
    CHECK(events[4].data.size() == 8);
    CHECK(events[5].kind == Kind::kInterrupt);
    CHECK(events[6].kind == Kind::kResidentWrite);
    CHECK(events[7].kind == Kind::kPowerCycle);
}

TEST_CASE("every shipped configuration survives its text") {
    for (const std::string& name : configNames()) {
        const std::string text = configText(loadConfig(name));
        CHECK_MESSAGE(configText(parseConfig(text, name)) == text, name);
    }
}

TEST_CASE("every damaged byte and every cut is found") {
    const TemporaryFolder folder;
    const std::string file = smallRecording(folder);
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::string damaged = file;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
        CHECK_THROWS_AS(parse(damaged), InputError);
        CHECK_THROWS_AS(parse(file.substr(0, i)), InputError);
    }
}

TEST_CASE("a damaged stream with the right checksum is refused, or read without harm") {
    const TemporaryFolder folder;
    const std::string file = smallRecording(folder);
    constexpr std::size_t kHead = 8 + 4 + 8;  // magic, size and checksum of the only block
    for (std::size_t i = kHead; i < file.size(); ++i) {
        for (const int flip : {0x01, 0x80, 0xFF}) {
            std::string damaged = file;
            damaged[i] = static_cast<char>(damaged[i] ^ flip);
            const std::uint64_t sum = digest(std::as_bytes(std::span(damaged)).subspan(kHead));
            std::memcpy(&damaged[12], &sum, sizeof(sum));
            try {
                parse(damaged);
            } catch (const InputError&) {
            }
        }
    }
}

TEST_CASE("a file that is no recording is refused with its name") {
    CHECK_THROWS_WITH_AS(parse("VNPUREC9"), doctest::Contains("test: not a recording"), InputError);
    CHECK_THROWS_WITH_AS(readRecording("/nonexistent.rec"), doctest::Contains("/nonexistent.rec"),
                         InputError);
    CHECK_THROWS_WITH_AS(Recorder("/nonexistent/x.rec", loadConfig("edge")),
                         doctest::Contains("cannot be written"), InputError);
}

TEST_SUITE_END();
