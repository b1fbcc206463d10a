// SPDX-License-Identifier: Apache-2.0
#include "sim/config/faults.h"

#include <doctest/doctest.h>

#include "sim/scenario/scenario_reader.h"
#include "tests/sim/base/input_error.h"

TEST_SUITE_BEGIN("sim/config/faults");

namespace {

using namespace vnpu::sim;
namespace hw = vnpu::hw;

constexpr const char* kWithClient = R"([scenario]
name = "s"
duration = "1 s"
config = "edge"

[[client]]
name = "a"
uid = 10001
model = "zoo:ds_cnn"
arrival = "closed_loop"

)";

std::vector<FaultPlan> faultsOf(const std::string& text) {
    return parseScenario(kWithClient + text, "f.toml").faults;
}

std::string faultError(const std::string& text) {
    return vnpu::sim::test::inputErrorOf([&] { faultsOf(text); });
}

}  // namespace

TEST_CASE("a scenario without faults has none [E-7]") {
    CHECK(faultsOf("").empty());
}

TEST_CASE("every key of a fault is read [E-7]") {
    const auto faults = faultsOf(R"([[fault]]
kind = "engine-slow"
at = "20 ms"
engine = "mac"
job = 3
skip = 4
chance = 0.5
times = 2
factor = 16
lasting = "1.5 ms"

[[fault]]
kind = "lost-interrupt"
)");
    REQUIRE(faults.size() == 2);
    const hw::FaultSpec& slow = faults[0].spec;
    CHECK(slow.kind == hw::FaultKind::kEngineSlow);
    CHECK(faults[0].atNs == 20'000'000);
    CHECK(slow.engine == hw::Engine::kMac);
    CHECK(slow.job == 3);
    CHECK(slow.skip == 4);
    CHECK(slow.chance == 0.5);
    CHECK(slow.times == 2);
    CHECK(slow.factor == 16);
    CHECK(faults[0].lastingNs == 1'500'000);
    CHECK(faults[1].spec.kind == hw::FaultKind::kLostInterrupt);
    CHECK(faults[1].atNs == 0);
    CHECK(faults[1].spec.times == 1);
}

TEST_CASE("mistakes in a fault are reported with their line and what was expected [E-7]") {
    CHECK(faultError("[[fault]]\nat = \"1 ms\"\n").find("f.toml:12: fault.kind") !=
          std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"dma-eror\"\n").find("dma-error") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"dma-error\"\nfactor = 3\n") ==
          "f.toml:14: fault.factor is not allowed with kind = \"dma-error\", expected it with "
          "\"engine-slow\" only");
    CHECK(faultError("[[fault]]\nkind = \"lost-interrupt\"\nengine = \"mac\"\n")
                  .find("expected it with faults of engines only") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"spurious-interrupt\"\nskip = 1\n")
                  .find("fault.skip is not allowed with") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"dma-error\"\nchance = 0.0\n")
                  .find("expected more than 0 and at most 1") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"engine-slow\"\n").find("fault.lasting") !=
          std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"engine-slow\"\nlasting = \"1 ms\"\nfactor = 1\n")
                  .find("expected more than 1 and at most 1000") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"dma-error\"\nat = \"soon\"\n")
                  .find("fault.at is \"soon\"") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"dma-error\"\nwhen = 3\n").find("when") !=
          std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"lost-interrupt\"\noperation = 3\n")
                  .find("expected it with faults of commands only") != std::string::npos);
    CHECK(faultError("[[fault]]\nkind = \"engine-slow\"\noperation = 3\nfactor = nan\n")
                  .find("fault.factor is nan, expected more than 1") != std::string::npos);
}

TEST_CASE("an operation is slow to the end where no time is given [E-7]") {
    const auto faults = faultsOf(
            "[[fault]]\nkind = \"engine-slow\"\noperation = 3\nfactor = 1.1\n"
            "[[fault]]\nkind = \"wrong-result\"\n");
    REQUIRE(faults.size() == 2);
    CHECK(faults[0].spec.operation == 3);
    CHECK(faults[0].spec.factor == 1.1);
    CHECK_FALSE(faults[0].lastingNs.has_value());
    CHECK(faults[1].spec.kind == hw::FaultKind::kWrongResult);
    hw::FaultInjector injector;
    armFaults({faults[0]}, 0, 1'000'000, injector);
    hw::EngineCommand command;
    command.record.engine = hw::Engine::kMac;
    command.record.operation = 3;
    CHECK_FALSE(injector.startCommand(10, command));
    CHECK(injector.slowdown(1'000'000'000'000, hw::Engine::kMac, 3) == 1.1);
}

TEST_CASE("an operation is refused where clients have different models [E-7]") {
    CHECK(faultError("[[fault]]\nkind = \"engine-slow\"\noperation = 3\n[[client]]\nname = \"d\"\n"
                     "uid = 7\nmodel = \"zoo:resnet8\"\narrival = \"closed_loop\"\n")
                  .find("the clients have different models") != std::string::npos);
}

TEST_CASE("a fault is armed at its time after the start, in the device's cycles [E-7]") {
    hw::FaultInjector injector;
    FaultPlan plan;
    plan.spec.kind = hw::FaultKind::kControllerHang;
    plan.atNs = 1'500'000;
    armFaults({plan}, 1'000'000, 500'000, injector);  // 500 MHz: 2.5 ms are 1.25 M cycles
    CHECK_FALSE(injector.hangsController(1'249'999));
    CHECK(injector.hangsController(1'250'000));
    CHECK(cyclesOf(3'600'000'000'000, 4'000'000) == 14'400'000'000'000);
}

TEST_SUITE_END();
