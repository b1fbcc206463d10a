// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/engines.h"
#include "hw_model/regs/status.h"

namespace vnpu::hw {

TEST_SUITE_BEGIN("hw_model/regs/names");

TEST_CASE("engines have the names of traces and disassembly") {
    CHECK(engineName(Engine::kDma0) == "dma0");
    CHECK(engineName(Engine::kDma3) == "dma3");
    CHECK(engineName(Engine::kMac) == "mac");
    CHECK(engineName(Engine::kVector) == "vector");
    CHECK(engineName(Engine::kDsp) == "dsp");
    CHECK(engineName(Engine::kController) == "controller");
}

TEST_CASE("an engine number out of range also has a name") {
    CHECK(engineName(static_cast<Engine>(200)) == "?");
}

TEST_CASE("every job status has a distinct name") {
    std::set<std::string> names;
    for (std::uint32_t i = 0; i <= 18; ++i) {
        names.insert(std::string(jobStatusName(static_cast<JobStatus>(i))));
    }
    CHECK(names.size() == 19);
    CHECK(names.count("?") == 0);
    CHECK(jobStatusName(JobStatus::kOutOfRegion) == "out-of-region");
    CHECK(jobStatusName(static_cast<JobStatus>(999)) == "?");
}

TEST_CASE("opcodes have lower-case names") {
    CHECK(std::string(opcodeName(Opcode::kMacConv)) == "mac.conv");
    CHECK(std::string(opcodeName(Opcode::kDmaTransfer)) == "dma.transfer");
    CHECK(std::string(opcodeName(static_cast<Opcode>(0x7777))) == "?");
}

TEST_SUITE_END();

}  // namespace vnpu::hw
