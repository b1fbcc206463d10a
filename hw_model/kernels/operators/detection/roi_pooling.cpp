// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "hw_model/kernels/operators/detection/regions.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

/// One axis of a region: whole pixels, divided into bins that may share a pixel.
class PoolingBins {
  public:
    PoolingBins(float first, float last, std::uint32_t bins, std::uint32_t extent)
        : start_(std::round(first)), extent_(static_cast<float>(extent)) {
        step_ = std::max(std::round(last) - start_ + 1.0F, 1.0F) / static_cast<float>(bins);
    }
    std::int64_t begin(std::uint32_t bin) const {
        return pixel(std::floor(step_ * static_cast<float>(bin) + start_));
    }
    std::int64_t end(std::uint32_t bin) const {
        return pixel(std::ceil(step_ * static_cast<float>(bin + 1) + start_));
    }

  private:
    std::int64_t pixel(float at) const { return static_cast<std::int64_t>(std::min(at, extent_)); }

    float start_;
    float step_;
    float extent_;
};

/// Keeps the maximum of each channel; the first pixel is copied.
template <typename T>
void keepGreatest(const T* pixel, std::int64_t stride, bool isFirst, std::vector<T>& greatest) {
    for (std::size_t c = 0; c < greatest.size(); ++c) {
        const T value = pixel[static_cast<std::int64_t>(c) * stride];
        greatest[c] = isFirst || value > greatest[c] ? value : greatest[c];
    }
}

/// Computes one row of bins of one region.
template <typename T>
void poolRow(const Tensor& input, const RegionCall& regions, const Region& region,
             std::uint32_t row, T* out) {
    const ImageStrides& strides = regions.fromStrides;
    const T* image = input.as<T>() + region.batch * strides.batch;
    const PoolingBins down(region.top, region.bottom, regions.to.rows, regions.from.rows);
    const PoolingBins across(region.left, region.right, regions.to.columns, regions.from.columns);
    const T zero = static_cast<T>(std::is_integral_v<T> ? input.zeroPoint : 0);
    std::vector<T> greatest(regions.from.channels);
    for (std::uint32_t column = 0; column < regions.to.columns; ++column) {
        std::fill(greatest.begin(), greatest.end(), zero);
        bool isFirst = true;
        for (std::int64_t y = down.begin(row); y < down.end(row); ++y) {
            for (std::int64_t x = across.begin(column); x < across.end(column); ++x) {
                keepGreatest(image + y * strides.row + x * strides.column, strides.channel, isFirst,
                             greatest);
                isFirst = false;
            }
        }
        T* pixel = out + column * regions.toStrides.column;
        for (std::size_t c = 0; c < greatest.size(); ++c) {
            pixel[static_cast<std::int64_t>(c) * regions.toStrides.channel] = greatest[c];
        }
    }
}

}  // namespace

JobStatus roiPooling(OperatorCall& call) {
    constexpr std::uint64_t kOperationsPerBin = 4;  // chosen: a bin of a few pixels
    VNPU_TRY_ASSIGN(const RegionCall regions, beginRegions(call, call.flag(7)));
    withElement<kRealTypes>(call.input(0).type, [&](auto element) {
        using T = decltype(element);
        forEachBinRow<T>(call, regions, kOperationsPerBin,
                         [&](const Region& region, std::uint32_t row, T* out) {
                             poolRow(call.input(0), regions, region, row, out);
                         });
    });
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
