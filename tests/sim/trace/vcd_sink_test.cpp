// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/vcd_sink.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/trace/event_stream.h"
#include "tests/sim/trace/recorded_run.h"
#include "tests/support/source_folder.h"

namespace {

using vnpu::hw::Engine;
using vnpu::hw::EngineCommandRecord;
using vnpu::sim::EventStream;
using vnpu::sim::VcdSink;
using vnpu::sim::VcdWriter;
using vnpu::test::halfGigahertz;
using vnpu::test::playExecution;
using vnpu::test::smallModel;
using vnpu::test::twoClients;

/// A parsed dump: for each signal its changes in order, with "x" as no value.
struct ReadDump {
    using Changes = std::vector<std::pair<std::uint64_t, std::optional<std::uint64_t>>>;
    std::map<std::string, Changes> signals;  // by "npu.mac.busy"
    bool isOrdered = true;
};

ReadDump readDump(const std::string& text) {
    ReadDump dump;
    std::istringstream in(text);
    std::map<std::string, std::string> names;
    std::vector<std::string> scopes;
    std::uint64_t time = 0;
    std::string word;
    while (in >> word) {
        if (word == "$scope") {
            std::string kind, name;
            in >> kind >> name;
            scopes.push_back(name);
        } else if (word == "$upscope") {
            scopes.pop_back();
        } else if (word == "$var") {
            std::string kind, bits, code, name, full;
            in >> kind >> bits >> code >> name;
            for (const std::string& scope : scopes) {
                full += scope + ".";
            }
            names[code] = full + name;
        } else if (word[0] == '#') {
            const std::uint64_t next = std::stoull(word.substr(1));
            dump.isOrdered &= next >= time;
            time = next;
        } else if (word[0] == 'b') {
            std::string code;
            in >> code;
            const bool isKnown = word != "bx";
            dump.signals[names.at(code)].emplace_back(
                    time,
                    isKnown ? std::optional<std::uint64_t>(std::stoull(word.substr(1), nullptr, 2))
                            : std::nullopt);
        } else if (names.count(word.substr(1)) != 0 &&
                   (word[0] == '0' || word[0] == '1' || word[0] == 'x')) {
            dump.signals[names.at(word.substr(1))].emplace_back(
                    time, word[0] == 'x' ? std::nullopt
                                         : std::optional<std::uint64_t>(word[0] == '1' ? 1 : 0));
        }
    }
    return dump;
}

std::string dumpOf(VcdWriter::Window window = {}) {
    std::ostringstream out;
    VcdSink sink(out, window);
    EventStream stream(halfGigahertz(), twoClients());
    stream.addSink(sink);
    stream.begin();
    playExecution(stream, 1000, 7, 3, smallModel());
    stream.end(3000);
    return out.str();
}

using Changes = ReadDump::Changes;

TEST_SUITE_BEGIN("sim/trace/vcd_sink");

TEST_CASE("an engine's waiting, working and idle times are shown [E-6]") {
    const ReadDump dump = readDump(dumpOf());
    CHECK(dump.isOrdered);
    // Cycle 1000 is 2000 ns. The MAC array waits from cycle 20, works from 30 to 60.
    CHECK(dump.signals.at("npu.mac.state") == Changes{{0, 0}, {2040, 1}, {2060, 2}, {2120, 0}});
    CHECK(dump.signals.at("npu.mac.busy") == Changes{{0, 0}, {2060, 1}, {2120, 0}});
    CHECK(dump.signals.at("npu.mac.queue") == Changes{{0, 0}, {2024, 1}, {2060, 0}});
    CHECK(dump.signals.at("npu.mac.operation") ==
          Changes{{0, std::nullopt}, {2060, 0}, {2120, std::nullopt}});
    CHECK(dump.signals.at("npu.mac.job") ==
          Changes{{0, std::nullopt}, {2060, 7}, {2120, std::nullopt}});
    CHECK(dump.signals.at("npu.mac.tokens") == Changes{{0, 0}, {2120, 1}});
}

TEST_CASE("consecutive commands keep an engine busy [E-6]") {
    const ReadDump dump = readDump(dumpOf());
    CHECK(dump.signals.at("npu.dma2.busy") == Changes{{0, 0}, {2150, 1}, {2200, 0}});
    CHECK(dump.signals.at("npu.dma2.operation") ==
          Changes{{0, std::nullopt},
                  {2150, 1},
                  {2190, std::nullopt}});  // the second command belongs to no operation
    CHECK(dump.signals.at("npu.dma2.tokens") == Changes{{0, 0}, {2190, 1}, {2200, 2}});
}

TEST_CASE("interrupt, job, DRAM, misses and frames are shown [E-6]") {
    const ReadDump dump = readDump(dumpOf());
    CHECK(dump.signals.at("npu.host.irq") == Changes{{0, 0}, {2212, 1}, {2216, 0}});
    CHECK(dump.signals.at("npu.firmware.job") == Changes{{0, 0}, {2016, 7}, {2210, 0}});
    CHECK(dump.signals.at("npu.dram.busy") ==
          Changes{{0, 0}, {2020, 1}, {2060, 0}, {2150, 1}, {2200, 0}});
    CHECK(dump.signals.at("npu.mmu.misses") == Changes{{0, 0}, {2080, 1}});
    CHECK(dump.signals.at("clients.camera.frame") ==
          Changes{{0, std::nullopt}, {2000, 4}, {2242, std::nullopt}});
    CHECK(dump.signals.at("clients.keyword.frame") == Changes{{0, std::nullopt}});
}

TEST_CASE("overlapping commands of one engine are one busy period [E-6]") {
    std::ostringstream out;
    VcdSink sink(out, {});
    EventStream stream(halfGigahertz(), twoClients());
    stream.addSink(sink);
    stream.begin();
    // The output stage of the first command overlaps the second command.
    const std::uint64_t starts[] = {10, 20};
    const std::uint64_t ends[] = {25, 40};
    for (std::uint32_t i = 0; i < 2; ++i) {
        stream.onQueueDepth(5 + i, Engine::kMac, i + 1);
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
        stream.onEngineCommand({.engine = Engine::kMac,
                                .jobId = 1,
                                .operation = i,
                                .index = i,
                                .startCycle = starts[i],
                                .endCycle = ends[i]});
    }
    stream.end(100);
    const ReadDump dump = readDump(out.str());
    CHECK(dump.signals.at("npu.mac.busy") == Changes{{0, 0}, {20, 1}, {80, 0}});
    CHECK(dump.signals.at("npu.mac.operation") ==
          Changes{{0, std::nullopt}, {20, 0}, {40, 1}, {80, std::nullopt}});
}

TEST_CASE("a window contains only its own changes [E-6]") {
    const ReadDump dump = readDump(dumpOf({.fromNs = 2050, .toNs = 2130}));
    CHECK(dump.signals.at("npu.mac.state") == Changes{{2050, 1}, {2060, 2}, {2120, 0}});
    CHECK(dump.signals.at("npu.host.irq") == Changes{{2050, 0}});
}

TEST_CASE("the GTKWave set-up uses only existing signals [E-6]") {
    const std::string dump = dumpOf();
    std::ifstream in(vnpu::test::sourceFolder() / "waveforms/vnpu.gtkw");
    int found = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("npu.", 0) != 0) {
            continue;
        }
        // "npu.mac.state[1:0]" is "$var wire 2 & state [1:0] $end" in the scope mac.
        const std::size_t scope = line.find('.') + 1;
        const std::size_t leaf = line.find('.', scope) + 1;
        std::string name = line.substr(leaf);
        const std::size_t range = name.find('[');
        name = range == std::string::npos ? name : name.substr(0, range) + " " + name.substr(range);
        const std::size_t module =
                dump.find("$scope module " + line.substr(scope, leaf - 1 - scope) + " $end");
        REQUIRE_MESSAGE(module != std::string::npos, line);
        const std::size_t end = dump.find("$upscope", module);
        CHECK_MESSAGE(
                dump.substr(module, end - module).find(" " + name + " $end") != std::string::npos,
                line);
        ++found;
    }
    CHECK(found == 2 + 6 * 6 + 3 + 2);
}

TEST_CASE("power state and clock are shown [E-6]") {
    using vnpu::hw::regs::PowerState;
    std::ostringstream out;
    VcdSink sink(out, {});
    vnpu::hw::NpuConfig config = halfGigahertz();
    config.power.level1Khz = 200'000;
    EventStream stream(config, twoClients());
    stream.addSink(sink);
    stream.begin();
    stream.onPowerState(10, PowerState::kSwitching, 1);
    stream.onPowerState(20, PowerState::kActive, 1);
    stream.onPowerState(30, PowerState::kSuspending, 1);
    stream.onPowerState(40, PowerState::kSuspended, 1);
    stream.end(100);
    const ReadDump dump = readDump(out.str());
    CHECK(dump.signals.at("npu.power.state") ==
          Changes{{0, 0}, {20, 4}, {40, 0}, {60, 1}, {80, 2}});
    CHECK(dump.signals.at("npu.power.clock_khz") == Changes{{0, 500'000}, {20, 200'000}});
}

TEST_CASE("equal runs give equal dumps [E-4]") {
    CHECK(dumpOf() == dumpOf());
    CHECK(dumpOf().find("$date") == std::string::npos);
}

TEST_SUITE_END();

}  // namespace
