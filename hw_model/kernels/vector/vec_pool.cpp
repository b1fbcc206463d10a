// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/processor_level.h"

namespace vnpu::hw::kernels {
namespace {

// A window clipped to the input: rows [top, bottom), columns [left, right).
struct Window {
    std::int64_t top, bottom, left, right;

    std::int64_t count() const {
        return std::max<std::int64_t>(bottom - top, 0) * std::max<std::int64_t>(right - left, 0);
    }
};

Window clippedWindow(const VecPool& work, std::int64_t y, std::int64_t x) {
    const std::int64_t top = y * work.strideHeight - work.padTop;
    const std::int64_t left = x * work.strideWidth - work.padLeft;
    return {.top = std::max<std::int64_t>(top, 0),
            .bottom = std::min<std::int64_t>(top + work.windowHeight, work.inputHeight),
            .left = std::max<std::int64_t>(left, 0),
            .right = std::min<std::int64_t>(left + work.windowWidth, work.inputWidth)};
}

// For bytes: sums of up to 2^23 elements.
template <typename T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, float, std::int32_t>;

template <typename T>
void addPixel(const std::byte* pixel, std::size_t channels, Wide<T>* sums) {
    for (std::size_t c = 0; c < channels; ++c) {
        sums[c] += loadElement<T>(pixel, c);
    }
}

template <typename T>
void maxPixel(const std::byte* pixel, std::size_t channels, Wide<T>* values) {
    for (std::size_t c = 0; c < channels; ++c) {
        values[c] = std::max<Wide<T>>(values[c], loadElement<T>(pixel, c));
    }
}

template <typename T>
class Pool {
  public:
    Pool(const VecPool& work, std::byte* sram)
        : work_(work),
          input_(sram + work.inputSram),
          output_(sram + work.outputSram),
          collectPixel_(work.kind == PoolKind::kMax ? ByLevel<&maxPixel<T>>::select()
                                                    : ByLevel<&addPixel<T>>::select()) {}

    void run(std::vector<Wide<T>>& scratch) {
        scratch.resize(work_.channels);
        std::size_t pixel = 0;
        for (std::uint32_t y = 0; y < work_.outputHeight; ++y) {
            for (std::uint32_t x = 0; x < work_.outputWidth; ++x, ++pixel) {
                const Window window = clippedWindow(work_, y, x);
                collect(window, scratch.data());
                finish(window, scratch.data(), output_ + pixel * work_.channels * sizeof(T));
            }
        }
    }

  private:
    void collect(const Window& window, Wide<T>* values) const {
        const bool isMax = work_.kind == PoolKind::kMax;
        std::fill_n(values, work_.channels,
                    isMax ? std::numeric_limits<Wide<T>>::lowest() : Wide<T>{0});
        for (std::int64_t y = window.top; y < window.bottom; ++y) {
            for (std::int64_t x = window.left; x < window.right; ++x) {
                const auto pixel = static_cast<std::size_t>(y * work_.inputWidth + x);
                collectPixel_(input_ + pixel * work_.channels * sizeof(T), work_.channels, values);
            }
        }
    }

    void finish(const Window& window, const Wide<T>* values, std::byte* destination) const {
        const std::int64_t count =
                work_.kind == PoolKind::kMax ? 1 : std::max<std::int64_t>(window.count(), 1);
        for (std::uint32_t c = 0; c < work_.channels; ++c) {
            storeElement<T>(destination, c, clamped(values[c], count));
        }
    }

    T clamped(Wide<T> value, std::int64_t count) const {
        if constexpr (std::is_floating_point_v<T>) {
            return FloatClamp(work_.clampMin, work_.clampMax)(value / static_cast<float>(count));
        } else {
            const std::int64_t level = roundingDivide(value, count);
            return static_cast<T>(std::min<std::int64_t>(
                    std::max<std::int64_t>(level, work_.clampMin), work_.clampMax));
        }
    }

    const VecPool& work_;
    const std::byte* input_;
    std::byte* output_;
    void (*collectPixel_)(const std::byte* pixel, std::size_t channels, Wide<T>* values);
};

}  // namespace

void vecPool(const VecPool& work, std::byte* sram) {
    withElementType(work.type, [&](auto tag) {
        using T = decltype(tag);
        thread_local std::vector<Wide<T>> scratch;
        Pool<T>(work, sram).run(scratch);
    });
}

}  // namespace vnpu::hw::kernels
