// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "driver/compiler/generation.h"
#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/conv_planner.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/plan_mix.h"
#include "driver/compiler/rewrite/image_groups.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Plans a model in several ways and keeps the one of the least cost (OrderedStream::cost), the
/// first of equal ones.
class PlanSearch {
  public:
    /// A planned graph.
    struct Found {
        Graph graph;  // as it was planned, before flattenPointwise
        PlanLimits limits;
        MemoryPlan tiles;  // with the buffers where planMemory has put them
        OrderedStream stream;
    };

    /// Both must outlive this.
    PlanSearch(const StreamInputs& inputs, ConvPlanner& convolutions)
        : inputs_(inputs), convolutions_(convolutions) {}

    /// The best plan of a graph, not yet flattened (flattenPointwise). The images of a batch pass
    /// its leading nodes together or in groups. MISSED_DEADLINE_PERSISTENT where
    /// options.mayGoOn returns false, RESOURCE_EXHAUSTED_PERSISTENT if no plan fits.
    Result<Found> run(const Graph& graph);

  private:
    // What returns an optional plan returns nothing if none fits. The only error is that the caller
    // has no time left.

    /// The graph in all of the SRAM, as listed, or ordered by its shared filters, or with these in
    /// parts, if that costs clearly less.
    Result<std::optional<Found>> attemptForms(const Graph& graph);
    /// `best` at first: the plan of the graph as it is in all of the SRAM (attemptWhole).
    Result<std::optional<Found>> runCandidates(const Graph& graph, std::optional<Found> best);
    /// Plans the graph for some operations within the limits of one of these plans and for others
    /// within those of another (mixLimits).
    Result<void> tryMixes(const Graph& graph, const std::vector<TriedPlan>& plans,
                          std::optional<Found>& best);
    /// Plans the best graph with its buffers at other places, too.
    void tryPlacements(std::optional<Found>& best);
    /// As few nodes apart as hardly cost time.
    void preferNear(std::optional<Found>& best);
    Result<void> divideImages(const ImageGroups& groups, std::optional<Found>& best);
    Result<std::optional<Found>> attemptWhole(const Graph& graph);
    /// In stripes where a `keptShare` is not 0; nothing also if none of these can be cut. The first
    /// one takes the usual limits beside those of the SRAM.
    Result<std::optional<Found>> attempt(const Graph& graph, const SramLimits& sram);
    Result<std::optional<Found>> attemptWithin(const Graph& graph, PlanLimits limits);
    std::optional<Found> plan(const Graph& graph, const PlanLimits& limits);
    /// The same graph within other limits. Its tiles are not sought again if only the rules of
    /// separation differ.
    std::optional<Found> replan(const Found& found, const PlanLimits& limits);
    std::optional<Found> place(const Graph& graph, const PlanLimits& limits, MemoryPlan tiles);
    void keepRefusal(const Error& refusal);

    const StreamInputs& inputs_;
    ConvPlanner& convolutions_;
    std::optional<Error> refusal_;  // of the first plan that did not fit
};

/// MISSED_DEADLINE_PERSISTENT if the caller has no time left for `stage`.
Result<void> goOn(const CompileOptions& options, const char* stage);

}  // namespace vnpu::driver
