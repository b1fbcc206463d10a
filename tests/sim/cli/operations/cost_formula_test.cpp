// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/cost_formula.h"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace vnpu;

template <typename Payload>
std::string formulaOf(const Payload& payload, const hw::NpuConfig& config = {}) {
    hw::CommandHeader header{};
    header.opcode = hw::OpcodeOf<Payload>::kValue;
    hw::CommandView view;
    view.header = &header;
    view.payload = reinterpret_cast<const std::byte*>(&payload);
    return sim::costFormula(config, view);
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/operations/cost_formula");

TEST_CASE("a convolution's formula follows the configuration's dataflow") {
    hw::MacConv work{};
    work.inputType = hw::ElementType::kUint8;
    hw::NpuConfig config;
    CHECK(formulaOf(work, config) == "2R + C + p - 2 + (d/R*c/C - 1)*max(p, R) + p*c/O");
    config.mac.weightDoubleBuffer = false;
    CHECK(formulaOf(work, config) == "d/R*c/C*(2R + C + p - 2) + p*c/O");
    config.mac.dataflow = hw::Dataflow::kOutputStationary;
    CHECK(formulaOf(work, config) == "p/R*c/C*(R + C + d - 2) + p*c/O");
    config.mac.dataflow = hw::Dataflow::kBroadcast;
    work.inputType = hw::ElementType::kFloat32;
    CHECK(formulaOf(work, config) == "F*(d/R*c/C*p) + p*c/O");
}

TEST_CASE("kinds of a vector command have different formulas") {
    hw::VecPool pool{};
    pool.kind = hw::PoolKind::kMax;
    CHECK(formulaOf(pool) == "m*window/L");
    pool.kind = hw::PoolKind::kAverage;
    CHECK(formulaOf(pool) == "m*window/L + m/L*E");
    hw::VecUnary unary{};
    CHECK(formulaOf(unary) == "m/L");
    unary.kind = hw::UnaryKind::kLogistic;
    CHECK(formulaOf(unary) == "m/L*(1 + 2E)");
}

TEST_CASE("an operator has the same formula on each engine, with the engine's terms") {
    hw::VecOperator vector{};
    vector.op = hw::Operator::kPrelu;
    hw::DspOperator dsp{};
    dsp.op = hw::Operator::kPrelu;
    CHECK(formulaOf(vector) == "m/L*2");
    CHECK(formulaOf(dsp) == "m/L*2");
}

TEST_CASE("commands that only mark a place in the stream cost nothing") {
    CHECK(formulaOf(hw::Checkpoint{}).empty());
    CHECK_FALSE(formulaOf(hw::Branch{}).empty());
}

TEST_CASE("the legend contains the configuration's numbers") {
    hw::NpuConfig config;
    config.vector.startupCycles = 77;
    config.dsp.scalarCycles = 13;
    const std::string legend = sim::costLegend(config);
    CHECK(legend.find("vector: start-up 77") != std::string::npos);
    CHECK(legend.find("S = 13") != std::string::npos);
}

TEST_SUITE_END();
