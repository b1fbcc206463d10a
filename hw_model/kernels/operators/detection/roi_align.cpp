// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "hw_model/kernels/operators/detection/regions.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/support/fixed_point.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::int32_t kMostSamplesPerAxis = 1024;  // chosen: bounds what one element can cost
constexpr float kWeightSteps = 255.0F;  // source: NNAPI's reference, weights of quantized images
constexpr std::uint64_t kOperationsPerSample = 8;  // chosen: four products and their loads

/// One axis of a region: positions of its bins and of the samples in them.
struct BinAxis {
    float start;
    float step;  // from bin to bin
    std::uint32_t samples;
    float sampleStep;

    BinAxis(float first, float last, std::uint32_t bins, std::int32_t wanted)
        : start(first), step(std::max(last - first, 1.0F) / static_cast<float>(bins)) {
        samples = wanted > 0 ? static_cast<std::uint32_t>(wanted)
                             : static_cast<std::uint32_t>(std::ceil(step));
        sampleStep = step / static_cast<float>(samples);
    }
    float sample(std::uint32_t bin, std::uint32_t i) const {
        return step * static_cast<float>(bin) + start + sampleStep / 2.0F +
               sampleStep * static_cast<float>(i);
    }
};

/// A position between two pixels of an axis.
struct Position {
    std::int64_t first;
    std::int64_t second;
    float way;  // fraction of the distance from the first to the second

    Position(float at, std::uint32_t extent) {
        const std::int64_t last = std::int64_t{extent} - 1;
        first = static_cast<std::int64_t>(std::floor(at));
        if (first >= last) {
            first = second = last;
            way = 0.0F;
        } else {
            second = first + 1;
            way = at - static_cast<float>(first);
        }
    }
};

/// float for float images; for quantized images, exact sums of differences to the zero point times
/// weights in steps of 1/255.
template <typename T>
using Weight = std::conditional_t<std::is_integral_v<T>, std::int32_t, float>;
template <typename T>
using SampleSum = std::conditional_t<std::is_integral_v<T>, std::int64_t, float>;

template <typename T>
Weight<T> weightOf(float weight) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<std::int32_t>(std::round(weight * kWeightSteps));
    } else {
        return weight;
    }
}

/// Adds, for every channel, the interpolation between four pixels.
template <typename T>
void addSample(const T* image, const std::int64_t (&offsets)[4], const Weight<T> (&weights)[4],
               std::int64_t channelStride, std::int32_t zeroPoint,
               std::vector<SampleSum<T>>& sums) {
    const auto load = [&](const T* pixel, std::size_t channel) {
        const T value = pixel[static_cast<std::int64_t>(channel) * channelStride];
        if constexpr (std::is_integral_v<T>) {
            return static_cast<std::int32_t>(value) - zeroPoint;
        } else {
            return static_cast<float>(value);
        }
    };
    for (std::size_t c = 0; c < sums.size(); ++c) {
        Weight<T> sum = weights[0] * load(image + offsets[0], c);
        sum += weights[1] * load(image + offsets[1], c);
        sum += weights[2] * load(image + offsets[2], c);
        sum += weights[3] * load(image + offsets[3], c);
        sums[c] += sum;
    }
}

/// Divides sums by the number of samples and converts them to the output's type.
template <typename T>
class Mean {
  public:
    Mean(const Tensor& input, const Tensor& output, std::uint64_t samples)
        : samples_(static_cast<float>(samples)), zeroPoint_(output.zeroPoint) {
        if constexpr (std::is_integral_v<T>) {
            real_ = input.scale * (1.0F / kWeightSteps) / output.scale / samples_;
            fixed_ = quantizeMultiplier(double{real_});
        }
    }

    T operator()(SampleSum<T> sum) const {
        if constexpr (std::is_integral_v<T>) {
            using Limits = std::numeric_limits<T>;
            const bool isNarrow = sum == static_cast<std::int32_t>(sum) && fixed_.shift <= 0;
            const double mean =
                    isNarrow ? multiplyByQuantizedMultiplier(static_cast<std::int32_t>(sum),
                                                             fixed_.multiplier, fixed_.shift)
                             : std::round(static_cast<double>(sum) * double{real_});
            return static_cast<T>(
                    std::clamp<double>(mean + zeroPoint_, Limits::min(), Limits::max()));
        } else {
            return static_cast<T>(sum / samples_);
        }
    }

  private:
    float samples_;
    std::int32_t zeroPoint_;
    float real_ = 0.0F;
    QuantizedMultiplier fixed_;
};

struct SampleCounts {
    std::int32_t down;
    std::int32_t across;
};

/// Computes one row of bins of one region.
template <typename T>
void alignRow(OperatorCall& call, const RegionCall& regions, const Region& region,
              std::uint32_t row, const SampleCounts& counts, T* out) {
    const Tensor& input = call.input(0);
    const ImageStrides& strides = regions.fromStrides;
    const T* image = input.as<T>() + region.batch * strides.batch;
    const BinAxis down(region.top, region.bottom, regions.to.rows, counts.down);
    const BinAxis across(region.left, region.right, regions.to.columns, counts.across);
    const Mean<T> mean(input, call.output(0), std::uint64_t{down.samples} * across.samples);
    std::vector<SampleSum<T>> sums(regions.from.channels);
    for (std::uint32_t column = 0; column < regions.to.columns; ++column) {
        std::fill(sums.begin(), sums.end(), SampleSum<T>{0});
        for (std::uint32_t i = 0; i < down.samples; ++i) {
            const Position y(down.sample(row, i), regions.from.rows);
            for (std::uint32_t j = 0; j < across.samples; ++j) {
                const Position x(across.sample(column, j), regions.from.columns);
                const std::int64_t offsets[] = {y.first * strides.row + x.first * strides.column,
                                                y.first * strides.row + x.second * strides.column,
                                                y.second * strides.row + x.first * strides.column,
                                                y.second * strides.row + x.second * strides.column};
                const Weight<T> weights[] = {weightOf<T>((1.0F - x.way) * (1.0F - y.way)),
                                             weightOf<T>(x.way * (1.0F - y.way)),
                                             weightOf<T>((1.0F - x.way) * y.way),
                                             weightOf<T>(x.way * y.way)};
                addSample<T>(image, offsets, weights, strides.channel, input.zeroPoint, sums);
            }
        }
        T* pixel = out + column * regions.toStrides.column;
        for (std::size_t c = 0; c < sums.size(); ++c) {
            pixel[static_cast<std::int64_t>(c) * regions.toStrides.channel] = mean(sums[c]);
        }
    }
}

}  // namespace

JobStatus roiAlign(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const SampleCounts counts{call.int32(7), call.int32(8)};
    if (counts.down < 0 || counts.down > kMostSamplesPerAxis || counts.across < 0 ||
        counts.across > kMostSamplesPerAxis) {
        return call.refuse(fmt::format("{} by {} samples, expected 0 to {}", counts.down,
                                       counts.across, kMostSamplesPerAxis));
    }
    const float ratio = input.scale / call.output(0).scale;
    if (isAsymm8(input) && !(ratio > 0.0F && std::isfinite(ratio))) {
        return call.refuse(fmt::format("the images have scale {}, the output {}", input.scale,
                                       call.output(0).scale));
    }
    VNPU_TRY_ASSIGN(const RegionCall regions, beginRegions(call, call.flag(9)));
    withElement<kRealTypes>(input.type, [&](auto element) {
        using T = decltype(element);
        forEachBinRow<T>(call, regions, kOperationsPerSample,
                         [&](const Region& region, std::uint32_t row, T* out) {
                             alignRow(call, regions, region, row, counts, out);
                         });
    });
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
