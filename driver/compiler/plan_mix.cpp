// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan_mix.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace vnpu::driver {
namespace {

bool computes(hw::Engine engine) {
    return engine == hw::Engine::kMac || engine == hw::Engine::kVector ||
           engine == hw::Engine::kDsp;
}

/// The fastest way to the end of an operation that ends with one of the plans.
struct Path {
    double cycles = 0;
    std::size_t previous = 0;  // the plan of the operation before
};

/// The paths to operation `k`, by plan, from those to the operation before.
std::vector<Path> pathsTo(std::size_t k, std::span<const TriedPlan> plans,
                          const std::vector<Path>& before, double changeCycles) {
    std::vector<Path> paths;
    for (std::size_t p = 0; p < plans.size(); ++p) {
        Path path{before[p].cycles, p};
        for (std::size_t from = 0; from < plans.size() && plans[p].isBorder[k - 1]; ++from) {
            const double cycles = before[from].cycles + changeCycles;
            if (plans[from].isBorder[k - 1] && cycles < path.cycles) {
                path = {cycles, from};
            }
        }
        path.cycles += plans[p].endCycles[k] - plans[p].endCycles[k - 1];
        paths.push_back(path);
    }
    return paths;
}

}  // namespace

TriedPlan describePlan(const Graph& graph, const OrderedStream& stream, const SramLimits& limits) {
    std::uint32_t operations = 0;
    for (const Node& node : graph.nodes) {
        operations = std::max(operations, node.operation + 1);
    }
    TriedPlan plan{limits, stream.cost(), stream.cycles(), std::vector<double>(operations, 0.0),
                   std::vector<bool>(operations, true)};
    const std::vector<ListedCommand>& commands = stream.list.commands();
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (computes(commands[i].engine)) {
            double& end = plan.endCycles[commands[i].operation];
            end = std::max(end, stream.schedule.finishCycles[i]);
        }
    }
    for (std::size_t k = 1; k < operations; ++k) {
        plan.endCycles[k] = std::max(plan.endCycles[k], plan.endCycles[k - 1]);
    }
    std::uint32_t last = 0;
    for (const Node& node : graph.nodes) {
        for (std::uint32_t k = node.operation; k < last; ++k) {
            plan.isBorder[k] = false;
        }
        last = std::max(last, node.operation);
    }
    return plan;
}

std::vector<SramLimits> mixLimits(std::span<const TriedPlan> plans, double changeCycles) {
    const std::size_t operations = plans.front().endCycles.size();
    if (operations == 0) {
        return {plans.front().limits};
    }
    std::vector<std::vector<Path>> paths(1);  // by operation and plan
    for (const TriedPlan& plan : plans) {
        paths.front().push_back({plan.endCycles.front(), 0});
    }
    for (std::size_t k = 1; k < operations; ++k) {
        paths.push_back(pathsTo(k, plans, paths.back(), changeCycles));
    }
    std::size_t plan = 0;
    double least = 0;
    for (std::size_t p = 0; p < plans.size(); ++p) {
        const double cycles =
                paths.back()[p].cycles + plans[p].totalCycles - plans[p].endCycles.back();
        if (p == 0 || cycles < least) {
            plan = p;
            least = cycles;
        }
    }
    std::vector<SramLimits> limits{plans[plan].limits};
    for (std::size_t k = operations; k-- > 1;) {
        const std::size_t previous = paths[k][plan].previous;
        if (previous != plan) {
            limits.back().firstOperation = static_cast<std::uint32_t>(k);
            limits.push_back(plans[previous].limits);
            plan = previous;
        }
    }
    std::reverse(limits.begin(), limits.end());
    return limits;
}

}  // namespace vnpu::driver
