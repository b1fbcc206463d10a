// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <span>

#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/stream/command_list.h"
#include "driver/compiler/stream/schedule.h"
#include "driver/compiler/weights/weight_coder.h"
#include "driver/result.h"

namespace vnpu::driver {

/// What all plans of a model have in common.
struct StreamInputs {
    const CostModel& costs;
    std::span<const PoolView> pools;
    WeightCoder* coder = nullptr;  // for a device with decoders
    const CompileOptions& options;
    const CompiledModel& common;  // shapes and constants
};

/// The commands of a planned graph and their order, without checkpoints.
struct OrderedStream {
    CompiledModel model;  // constants, regions, sizes; no commands yet
    CommandList list;
    Schedule schedule;

    double cycles() const { return schedule.totalCycles; }
    /// By which plans are compared, in cycles: the time, and a small share of that in which memory
    /// is busy. Of two plans that take equally long, the one with less traffic needs less energy.
    double cost() const;
};

// chosen: tokens count to 2^24 and a stream of this many commands takes 200 MB
inline constexpr std::uint64_t kMaxCommands = 1'000'000;

/// Codes the weights of a finished graph and places, emits and orders its commands.
/// RESOURCE_EXHAUSTED_PERSISTENT for what the device cannot hold.
Result<OrderedStream> orderStream(Graph& graph, const MemoryPlan& plan, const StreamInputs& inputs);

/// Adds the checkpoints that the options ask for, and encodes the stream.
CompiledModel finishStream(OrderedStream stream, const StreamInputs& inputs,
                           const android::hardware::neuralnetworks::V1_3::Model& model);

/// The error for a refusal.
tl::unexpected<Error> report(const Refusal& refusal);

}  // namespace vnpu::driver
