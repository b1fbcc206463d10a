// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/operators/recurrent/packed_weights.h"
#include "hw_model/kernels/operators/recurrent/recurrent_activation.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

// Inputs, as in NNAPI 1.3.
enum : std::size_t { kSvdfInput, kFeatures, kTimes, kSvdfBias, kState, kRank, kActivation };

struct SvdfShape {
    std::uint32_t batch = 0;
    std::uint32_t input = 0;
    std::uint32_t filters = 0;
    std::uint32_t memory = 0;
    std::uint32_t rank = 1;  // filters of a unit

    std::uint32_t units() const { return filters / rank; }
    Dimensions state() const {
        return {batch, static_cast<std::uint32_t>(std::size_t{memory} * filters)};
    }
};

std::optional<SvdfShape> checkSvdf(OperatorCall& call) {
    SvdfShape shape{.batch = call.input(kSvdfInput).dimensions[0],
                    .input = call.input(kSvdfInput).dimensions[1],
                    .filters = call.input(kFeatures).dimensions[0],
                    .memory = call.input(kTimes).dimensions[1]};
    const std::int32_t rank = call.int32(kRank);
    if (rank <= 0 || shape.filters % static_cast<std::uint32_t>(rank) != 0) {
        return call.refuse(
                fmt::format("rank is {}, expected a divisor of {} filters", rank, shape.filters));
    }
    shape.rank = static_cast<std::uint32_t>(rank);
    if (shape.input == 0 || shape.filters == 0 || shape.memory == 0) {
        return call.refuse(
                fmt::format("{} inputs, {} filters and {} steps, expected at least 1 each",
                            shape.input, shape.filters, shape.memory));
    }
    const bool isFine =
            requirePackable(call, shape.filters, shape.input) == JobStatus::kOk &&
            requireDimensions(call, kFeatures, {shape.filters, shape.input}) == JobStatus::kOk &&
            requireDimensions(call, kTimes, {shape.filters, shape.memory}) == JobStatus::kOk &&
            (call.isOmitted(kSvdfBias) ||
             requireDimensions(call, kSvdfBias, {shape.units()}) == JobStatus::kOk) &&
            requireDimensions(call, kState, shape.state()) == JobStatus::kOk;
    return isFine ? std::optional(shape) : std::nullopt;
}

class Svdf {
  public:
    Svdf(OperatorCall& call, const SvdfShape& shape, RecurrentActivation activation)
        : shape_(shape),
          activation_(activation),
          input_(call, kSvdfInput),
          times_(call, kTimes),
          bias_(call, kSvdfBias),
          lastState_(call, kState),
          state_(call, 0),
          output_(call, 1) {
        newest_.resize(std::size_t{shape.batch} * shape.filters);
        PackedWeights(call, kFeatures, shape.filters, shape.input)
                .accumulate({input_.data(), shape.input}, shape.batch, newest_.data());
    }

    void run() {
        forEachTask(shape_.batch, lastState_.size(), [&](std::size_t sequence) {
            float* const units = output_.data() + sequence * shape_.units();
            for (std::size_t u = 0; u < shape_.units(); ++u) {
                units[u] = computeUnit(sequence, u);
            }
            activate(activation_, units, shape_.units());
        });
        state_.store();
        output_.store();
    }

  private:
    // The last element of the state belongs to the new step; afterwards all elements shift by one.
    float computeUnit(std::size_t sequence, std::size_t unit) {
        double sum = bias_.isThere() ? static_cast<double>(bias_[unit]) : 0.0;
        for (std::size_t f = unit * shape_.rank; f < (unit + 1) * shape_.rank; ++f) {
            const std::size_t at = (sequence * shape_.filters + f) * shape_.memory;
            const float* const last = lastState_.data() + at;
            const float* const times = times_.data() + f * shape_.memory;
            float* const state = state_.data() + at;
            const float newest = newest_[sequence * shape_.filters + f];
            const std::size_t place = shape_.memory - 1;
            for (std::size_t m = 0; m < place; ++m) {
                sum += static_cast<double>(times[m]) * static_cast<double>(last[m]);
            }
            sum += static_cast<double>(times[place]) * static_cast<double>(newest);
            state[place] = 0.0F;
            if (place > 0) {
                std::copy(last + 1, last + place, state);
                state[place - 1] = newest;
            }
        }
        return static_cast<float>(sum);
    }

    SvdfShape shape_;
    RecurrentActivation activation_;
    RealValues input_, times_, bias_, lastState_;
    RealResult state_, output_;
    std::vector<float> newest_;  // [batch][filters]
};

JobStatus svdf(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const SvdfShape shape, checkSvdf(call));
    VNPU_TRY_ASSIGN(const auto activation, readCellActivation(call, kActivation));
    const Dimensions outputs[] = {shape.state(), {shape.batch, shape.units()}};
    VNPU_TRY(call.settleAll(outputs));
    Svdf(call, shape, activation).run();
    return JobStatus::kOk;
}

constexpr OperatorEntry kSvdfEntries[] = {
        {Operator::kSvdf, {"T2T2T2T1?T2ii", "TT", kFloatTypes}, svdf}};

}  // namespace

std::span<const OperatorEntry> svdfOperators() {
    return kSvdfEntries;
}

}  // namespace vnpu::hw::kernels
