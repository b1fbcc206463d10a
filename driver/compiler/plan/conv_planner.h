// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "driver/compiler/plan/conv_plan.h"

namespace vnpu::driver {

/// Finds the cheapest plan of a convolution that fits the free SRAM. The memory planner asks for
/// the same node in many states of the SRAM, and the stripes of a layer and the steps of an
/// unrolled recurrent network are all alike, so estimates and plans are kept. One thread at a time.
class ConvPlanner {
  public:
    /// `costs` must outlive this.
    explicit ConvPlanner(const CostModel& costs) : costs_(costs) {}

    /// Null if no tile fits the workspace.
    std::shared_ptr<const ConvPlan> plan(const ConvNode& node, const Workspace& workspace,
                                         const ResidentTensors& resident, bool readsPixels = false);

  private:
    /// Everything that an estimate depends on.
    struct Key {
        WindowGeometry geometry;
        std::uint32_t depthMultiplier = 0, groups = 1;
        bool isOutputStrided = false, isInputResident = false, isOutputResident = false;
        bool isFilterResident = false, readsPixels = false;
        std::uint64_t aheadBytes = 0;
        std::uint32_t codedShare = kPlainShare;
        hw::ElementType inputType{}, outputType{};

        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    /// By division; made when they are asked for.
    using Candidates = std::array<std::optional<std::vector<ConvCandidate>>, 4>;

    /// Where a plan is placed: the free SRAM, and the bytes of bias and scales per channel.
    struct Room {
        Workspace workspace;
        std::uint64_t tableBytes = 0;
    };
    struct RoomView {
        const Workspace& workspace;
        std::uint64_t tableBytes = 0;
    };
    struct RoomHash {
        using is_transparent = void;
        template <typename SomeRoom>
        std::size_t operator()(const SomeRoom& room) const {
            return hashOf(room.workspace, room.tableBytes);
        }
        static std::size_t hashOf(const Workspace& workspace, std::uint64_t tableBytes);
    };
    struct RoomEqual {
        using is_transparent = void;
        template <typename A, typename B>
        bool operator()(const A& a, const B& b) const {
            return a.tableBytes == b.tableBytes && a.workspace == b.workspace;
        }
    };
    struct Known {
        Candidates candidates;
        std::unordered_map<Room, std::shared_ptr<const ConvPlan>, RoomHash, RoomEqual> plans;
    };

    std::shared_ptr<const ConvPlan> find(const ConvNode& node, const Workspace& workspace,
                                         const ConvSurroundings& surroundings,
                                         Candidates& known) const;

    const CostModel& costs_;
    std::unordered_map<Key, Known, KeyHash> known_;
};

}  // namespace vnpu::driver
