// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "driver/compiler/plan/conv_plan.h"

namespace vnpu::driver {

/// Finds the cheapest plan of a convolution that fits the free SRAM. The memory planner asks for
/// the same node in many states of the SRAM, and the steps of an unrolled recurrent network are all
/// alike, so estimates are kept. One thread at a time.
class ConvPlanner {
  public:
    /// `costs` must outlive this.
    explicit ConvPlanner(const CostModel& costs) : costs_(costs) {}

    /// Nothing if no tile fits the workspace.
    std::optional<ConvPlan> plan(const ConvNode& node, const Workspace& workspace,
                                 const ResidentTensors& resident);

  private:
    /// Everything that an estimate depends on.
    struct Key {
        WindowGeometry geometry;
        std::uint32_t depthMultiplier = 0, groups = 1;
        bool isOutputStrided = false, isInputResident = false, isOutputResident = false;
        bool isFilterResident = false;
        std::uint32_t codedShare = kPlainShare;
        hw::ElementType inputType{}, outputType{};

        auto operator<=>(const Key&) const = default;
    };
    /// By division; made when they are asked for.
    using Candidates = std::array<std::optional<std::vector<ConvCandidate>>, 4>;

    const CostModel& costs_;
    std::map<Key, Candidates> known_;
};

}  // namespace vnpu::driver
