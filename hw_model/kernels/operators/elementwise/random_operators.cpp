// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/kernels/operators/elementwise/philox.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/support/exponential.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kOperationsPerDraw = 64;  // chosen: half a Philox block and a search

/// The stream of random numbers selected by two seeds. source: TensorFlow's Philox generator, which
/// uses the first seed as key and the second as upper half of the counter.
class SeededStream {
  public:
    SeededStream(std::int32_t first, std::int32_t second)
        : key_{low(first), high(first)}, upper_{low(second), high(second)} {}

    /// Number `index` of the stream, in [0, 1) with 52 bits.
    double at(std::uint64_t index) const {
        const std::uint64_t block = index / 2;  // two numbers of 64 bits each
        const PhiloxCounter words =
                philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                        upper_[0], upper_[1]},
                       key_);
        const std::size_t word = index % 2 * 2;
        const std::uint64_t bits = std::uint64_t{words[word] & 0xFFFFFU} << 32 | words[word + 1];
        return std::ldexp(static_cast<double>(bits), -52);
    }

  private:
    static std::uint32_t low(std::int32_t seed) { return static_cast<std::uint32_t>(seed); }
    static std::uint32_t high(std::int32_t seed) { return seed < 0 ? 0xFFFFFFFFU : 0; }

    PhiloxKey key_;
    std::array<std::uint32_t, 2> upper_;
};

/// Cumulative sums of the classes' unscaled probabilities; values that are not finite count as zero
/// probability.
std::vector<double> cumulated(const RealValues& logits, std::uint64_t first,
                              std::uint32_t classes) {
    float greatest = std::numeric_limits<float>::lowest();
    for (std::uint32_t c = 0; c < classes; ++c) {
        const float logit = logits[first + c];
        greatest = std::isfinite(logit) ? std::max(greatest, logit) : greatest;
    }
    std::vector<double> sums(classes);
    double sum = 0.0;
    for (std::uint32_t c = 0; c < classes; ++c) {
        const float logit = logits[first + c];
        if (std::isfinite(logit)) {
            sum += wideExponential(static_cast<double>(logit) - static_cast<double>(greatest));
        }
        sums[c] = sum;
    }
    return sums;
}

JobStatus randomMultinomial(OperatorCall& call) {
    const Dimensions& dimensions = call.input(0).dimensions;
    const std::int32_t samples = call.int32(1);
    VNPU_TRY_ASSIGN(const auto seeds, int32List(call, 2, 2));
    if (samples < 0) {
        return call.refuse(fmt::format("{} samples, expected 0 or more", samples));
    }
    const std::uint32_t batches = dimensions[0];
    const std::uint32_t classes = dimensions[1];
    const auto perBatch = static_cast<std::uint32_t>(samples);
    const Dimensions to{batches, perBatch};
    VNPU_TRY(call.settle(0, to));
    if (to.elements() == 0) {
        return JobStatus::kOk;
    }
    const RealValues logits(call, 0);
    const SeededStream stream(seeds[0], seeds[1]);
    std::int32_t* out = call.write<std::int32_t>(0);
    for (std::uint32_t b = 0; b < batches; ++b) {
        const std::vector<double> sums = cumulated(logits, std::uint64_t{b} * classes, classes);
        if (classes == 0 || sums.back() <= 0.0) {
            return call.refuse(fmt::format("batch {} has no class of a finite logit", b));
        }
        const std::uint64_t first = std::uint64_t{b} * perBatch;
        forEachTask(perBatch, perBatch * kOperationsPerDraw, [&](std::size_t s) {
            const double target = stream.at(first + s) * sums.back();
            const auto found = std::upper_bound(sums.begin(), sums.end() - 1, target);
            out[first + s] = static_cast<std::int32_t>(found - sums.begin());
        });
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kRandomEntries[] = {
        {Operator::kRandomMultinomial, {"r2iv1", "v"}, randomMultinomial}};

}  // namespace

std::span<const OperatorEntry> randomOperators() {
    return kRandomEntries;
}

}  // namespace vnpu::hw::kernels
