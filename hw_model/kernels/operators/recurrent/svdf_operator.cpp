// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/svdf_operator.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/operand_checks.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/operators/recurrent/packed_weights.h"
#include "hw_model/kernels/operators/recurrent/recurrent_activation.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {
namespace {

// Inputs, as in NNAPI 1.3.
enum : std::size_t {
    kSvdfInput,
    kFeatures,
    kTimes,
    kSvdfBias,
    kState,
    kRank,
    kActivation,
    kSvdfInputs
};

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

void checkScalars(OperandChecks& checks, const OperatorCall& call, SvdfShape& shape) {
    checks.int32(kRank);
    checks.int32(kActivation);
    if (!checks.isFine()) {
        return;
    }
    const std::int32_t rank = call.int32(kRank), activation = call.int32(kActivation);
    checks.that(rank > 0 && shape.filters % static_cast<std::uint32_t>(rank) == 0, [&] {
        return fmt::format("rank is {}, expected a divisor of {} filters", rank, shape.filters);
    });
    checks.that(isRecurrentActivation(activation), [&] {
        return fmt::format("activation is {}, expected 0, 1, 2, 3, 4 or 6", activation);
    });
    if (checks.isFine()) {
        shape.rank = static_cast<std::uint32_t>(rank);
    }
}

SvdfShape checkSvdf(OperandChecks& checks, const OperatorCall& call) {
    const TensorType type = call.input(kSvdfInput).type;
    checks.that(type == TensorType::kFloat32 || type == TensorType::kFloat16, [&] {
        return fmt::format("input 0 has type {}, expected a float", tensorTypeName(type));
    });
    checks.rank(kSvdfInput, type, 2);
    checks.rank(kFeatures, type, 2);
    checks.rank(kTimes, type, 2);
    if (!checks.isFine()) {
        return {};
    }
    SvdfShape shape{.batch = call.input(kSvdfInput).dimensions[0],
                    .input = call.input(kSvdfInput).dimensions[1],
                    .filters = call.input(kFeatures).dimensions[0],
                    .memory = call.input(kTimes).dimensions[1]};
    checkScalars(checks, call, shape);
    checks.that(shape.input != 0 && shape.filters != 0 && shape.memory != 0, [&] {
        return fmt::format("{} inputs, {} filters and {} steps, expected at least 1 each",
                           shape.input, shape.filters, shape.memory);
    });
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // chosen: beyond any real layer
    checks.that(PackedWeights::sizeBytes(shape.filters, shape.input) <= kMost, [&] {
        return fmt::format("weights [{}, {}], expected at most {} bytes", shape.filters,
                           shape.input, kMost);
    });
    checks.shape(kFeatures, type, {shape.filters, shape.input});
    checks.shape(kTimes, type, {shape.filters, shape.memory});
    checks.optionalShape(kSvdfBias, type, {shape.units()});
    checks.shape(kState, type, shape.state());
    checks.outputType(0, type);
    checks.outputType(1, type);
    return shape;
}

class Svdf {
  public:
    Svdf(OperatorCall& call, const SvdfShape& shape)
        : shape_(shape),
          activation_(static_cast<RecurrentActivation>(call.int32(kActivation))),
          input_(call, kSvdfInput),
          times_(call, kTimes),
          bias_(call, kSvdfBias),
          lastState_(call, kState),
          state_(call, 0),
          output_(call, 1) {
        const RealValues features(call, kFeatures);
        const float* const matrix = features.data();
        newest_.resize(std::size_t{shape.batch} * shape.filters);
        PackedWeights({&matrix, 1}, shape.filters, shape.input)
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
    // The state's last place is the new step's; all move on by one afterwards.
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

}  // namespace

JobStatus svdf(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(kSvdfInputs, kSvdfInputs, 2, kSvdfBias));
    OperandChecks checks(call);
    const SvdfShape shape = checkSvdf(checks, call);
    VNPU_TRY(checks.status());
    const Dimensions outputs[] = {shape.state(), {shape.batch, shape.units()}};
    const auto status = settleAll(call, outputs);
    if (status == JobStatus::kOk) {
        Svdf(call, shape).run();
    }
    return status;
}

}  // namespace vnpu::hw::kernels
