// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "sim/ndk/cpu/tensor_value.h"
#include "sim/ndk/device/call.h"
#include "sim/ndk/model/finished_model.h"

namespace vnpu::sim::ndk {

/// The constants of each graph of a model: by graph (the main one first), by operand.
using Constants = std::vector<std::vector<std::optional<TensorValue>>>;
Result<Constants> constantsOf(const FinishedModel& model);

/// One computation of a model, operation by operation. One thread; kernels may use others.
class Interpreter {
  public:
    struct Limits {
        std::optional<TimePoint> deadline;
        std::chrono::nanoseconds loopTimeout{};
    };

    Interpreter(const FinishedModel& model, const Constants& constants, const Limits& limits)
        : model_(model), constants_(constants), limits_(limits) {}

    /// The outputs of the main graph. MISSED_DEADLINE_TRANSIENT if a limit passes, OP_FAILED if a
    /// kernel refuses its operands or a result contradicts its declared shape.
    Result<std::vector<TensorValue>> run(std::vector<TensorValue> inputs) {
        return runGraph(0, std::move(inputs));
    }

  private:
    using Values = std::vector<std::optional<TensorValue>>;

    const nn::V1_3::Subgraph& graphAt(std::size_t graph) const {
        return graph == 0 ? model_.hal.main : model_.hal.referenced[graph - 1];
    }
    Result<std::vector<TensorValue>> runGraph(std::size_t graph, std::vector<TensorValue> inputs);
    Result<std::vector<TensorValue>> runOperation(const nn::V1_3::Subgraph& graph,
                                                  const nn::V1_3::Operation& operation,
                                                  const Values& values);
    Result<std::vector<TensorValue>> runKernel(const nn::V1_3::Subgraph& graph,
                                               const nn::V1_3::Operation& operation,
                                               const Values& values);
    Result<std::vector<TensorValue>> runIf(const nn::V1_3::Subgraph& graph,
                                           const nn::V1_3::Operation& operation,
                                           const Values& values);
    Result<std::vector<TensorValue>> runWhile(const nn::V1_3::Subgraph& graph,
                                              const nn::V1_3::Operation& operation,
                                              const Values& values);
    Result<void> checkDeadline() const;

    const FinishedModel& model_;
    const Constants& constants_;
    const Limits limits_;
};

}  // namespace vnpu::sim::ndk
