// SPDX-License-Identifier: Apache-2.0
#include "sim/config/faults.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "hw_model/regs/engines.h"
#include "sim/base/duration.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kEndless = UINT64_MAX / 2;  // cycles; may be added to a time
constexpr double kMaxFactor = 1000.0;               // chosen: beyond it a slow engine is a dead one

/// The names of an enumeration's first `count` values, as `nameOf` gives them.
template <typename Enum, typename NameOf>
std::vector<std::string> wordsOf(std::size_t count, const NameOf& nameOf) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.emplace_back(nameOf(static_cast<Enum>(i)));
    }
    return names;
}

/// Rejects keys that do not belong to the kind.
void rejectStrays(const StrictTable& table, hw::FaultKind kind) {
    const auto reject = [&](std::string_view key, bool belongs, std::string_view to) {
        if (!belongs && table.has(key)) {
            table.fail(key,
                       fmt::format("is not allowed with kind = \"{}\", expected it with {} only",
                                   hw::faultKindName(kind), to));
        }
    };
    const bool isSlow = kind == hw::FaultKind::kEngineSlow;
    const bool isTimed = kind == hw::FaultKind::kSpuriousInterrupt;
    reject("engine", hw::isEngineFault(kind), "faults of engines");
    reject("operation", hw::isEngineFault(kind) && kind != hw::FaultKind::kMmuFault,
           "faults of commands");
    reject("factor", isSlow, "\"engine-slow\"");
    reject("lasting", isSlow, "\"engine-slow\"");
    for (const std::string_view key : {"job", "skip", "chance"}) {
        reject(key, !isTimed, "faults that wait for an occasion");
    }
}

FaultPlan readFault(const toml::table& source, const std::string& file) {
    StrictTable table(source, file, "fault.");
    table.know({"kind", "at", "engine", "operation", "job", "skip", "chance", "times", "factor",
                "lasting"});
    FaultPlan plan;
    hw::FaultSpec& spec = plan.spec;
    const auto kinds = wordsOf<hw::FaultKind>(hw::kFaultKindCount, hw::faultKindName);
    table.require("kind", fmt::format("one of {}", fmt::join(kinds, ", ")));
    table.readChoice("kind", kinds, spec.kind);
    rejectStrays(table, spec.kind);
    readDuration(table, "at", plan.atNs, true);
    hw::Engine engine{};
    if (table.readChoice("engine", wordsOf<hw::Engine>(hw::kEngineCount, hw::engineName), engine)) {
        spec.engine = engine;
    }
    std::uint32_t operation = 0;
    if (table.read("operation", operation)) {
        spec.operation = operation;
    }
    table.read("job", spec.job);
    table.read("skip", spec.skip);
    // The comparison is written so that a NaN fails it.
    if (table.read("chance", spec.chance) && !(spec.chance > 0.0 && spec.chance <= 1.0)) {
        table.fail("chance", fmt::format("is {}, expected more than 0 and at most 1", spec.chance));
    }
    table.read("times", spec.times);
    if (table.read("factor", spec.factor) && !(spec.factor > 1.0 && spec.factor <= kMaxFactor)) {
        table.fail("factor", fmt::format("is {}, expected more than 1 and at most {}", spec.factor,
                                         kMaxFactor));
    }
    std::uint64_t lastingNs = 0;
    if (table.has("lasting")) {
        readDuration(table, "lasting", lastingNs, true);
        plan.lastingNs = lastingNs;
    }
    if (spec.kind == hw::FaultKind::kEngineSlow && !spec.operation) {
        table.require("lasting", kDurationForm);
    }
    if (spec.kind == hw::FaultKind::kSpuriousInterrupt && spec.times != 1) {
        table.fail("times",
                   fmt::format("is {}, expected 1 for an interrupt at its time", spec.times));
    }
    table.finish();
    return plan;
}

}  // namespace

std::vector<FaultPlan> readFaults(const toml::array& tables, const std::string& file) {
    std::vector<FaultPlan> plans;
    for (const toml::node& node : tables) {
        plans.push_back(readFault(*node.as_table(), file));
    }
    return plans;
}

std::uint64_t cyclesOf(std::uint64_t timeNs, std::uint32_t clockKhz) {
    constexpr std::uint64_t kNsPerMs = 1'000'000;
    return timeNs / kNsPerMs * clockKhz + timeNs % kNsPerMs * clockKhz / kNsPerMs;
}

void armFaults(const std::vector<FaultPlan>& plans, std::uint64_t startNs, std::uint32_t clockKhz,
               hw::FaultInjector& injector) {
    for (const FaultPlan& plan : plans) {
        hw::FaultSpec spec = plan.spec;
        spec.atCycle = cyclesOf(startNs + plan.atNs, clockKhz);
        spec.lastingCycles = plan.lastingNs ? cyclesOf(*plan.lastingNs, clockKhz) : kEndless;
        injector.arm(spec);
    }
}

}  // namespace vnpu::sim
