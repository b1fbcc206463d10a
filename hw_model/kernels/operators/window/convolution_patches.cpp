// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/convolution_patches.h"

#include <cstring>

namespace vnpu::hw::kernels {

ConvolutionPatches::ConvolutionPatches(const Convolution& convolution, const WordFormat& format,
                                       const AxisPlan& rows, const AxisPlan& columns)
    : conv_(convolution),
      format_(format),
      rowPlan_(rows),
      columnPlan_(columns),
      inputs_(convolution.groupInputs()),
      count_(std::size_t{convolution.inputShape.batches} *
             static_cast<std::size_t>(rows.outputs * columns.outputs)),
      depth_(rows.taps.size() * columns.taps.size() * inputs_),
      words_(format.wordsFor(depth_)),
      pixelBytes_(convolution.inputShape.channels * convolution.elementBytes()),
      tapBytes_(inputs_ * format.stepBytes()),
      isDirect_(readsPixelByPixel()),
      strideBytes_(isDirect_ ? pixelBytes_ : words_ * sizeof(std::uint32_t)) {}

// Output pixel i reads input pixel i and no other, as words.
bool ConvolutionPatches::readsPixelByPixel() const {
    const auto isIdentity = [](const AxisPlan& plan, std::uint32_t extent) {
        return plan.taps.size() == 1 && plan.taps[0].input == 0 && plan.inputStep == 1 &&
               plan.outputs == extent;
    };
    return format_.isInputAsIs() && depth_ == words_ * format_.steps() &&
           isIdentity(rowPlan_, conv_.inputShape.rows) &&
           isIdentity(columnPlan_, conv_.inputShape.columns);
}

const std::byte* ConvolutionPatches::direct(std::size_t row, std::size_t group) const {
    return conv_.input + row * pixelBytes_ + group * inputs_ * conv_.elementBytes();
}

PatchPixel ConvolutionPatches::pixelAt(std::size_t row) const {
    const auto width = static_cast<std::size_t>(columnPlan_.outputs);
    const auto height = static_cast<std::size_t>(rowPlan_.outputs);
    return {.batch = row / width / height,
            .y = static_cast<std::int64_t>(row / width % height),
            .x = static_cast<std::int64_t>(row % width)};
}

void ConvolutionPatches::write(std::size_t first, std::size_t count, std::size_t group,
                               std::byte* destination) const {
    const std::size_t rowBytes = depth_ * format_.stepBytes();
    for (std::size_t row = first; row < first + count; ++row) {
        writeRow(pixelAt(row), group, destination);
        pad(destination + rowBytes, strideBytes_ - rowBytes);
        destination += strideBytes_;
    }
}

void ConvolutionPatches::writeRow(const PatchPixel& pixel, std::size_t group,
                                  std::byte* destination) const {
    const std::size_t rowBytes = columnPlan_.taps.size() * tapBytes_;
    for (const AxisPlan::Tap& row : rowPlan_.taps) {
        const std::int64_t y = pixel.y * rowPlan_.inputStep + row.input;
        if (y < 0 || y >= conv_.inputShape.rows) {
            pad(destination, rowBytes);
        } else {
            const std::size_t firstPixel =
                    (pixel.batch * conv_.inputShape.rows + static_cast<std::size_t>(y)) *
                    conv_.inputShape.columns;
            writeTaps(direct(firstPixel, group), pixel.x * columnPlan_.inputStep, destination);
        }
        destination += rowBytes;
    }
}

void ConvolutionPatches::writeTaps(const std::byte* source, std::int64_t firstColumn,
                                   std::byte* destination) const {
    for (std::size_t t = 0; t < columnPlan_.taps.size();) {
        const std::int64_t x = firstColumn + columnPlan_.taps[t].input;
        std::size_t count = 1;
        if (x < 0 || x >= conv_.inputShape.columns) {
            pad(destination, tapBytes_);
        } else {
            count = neighboursInside(t, x);
            format_.copyInput(source + static_cast<std::size_t>(x) * pixelBytes_, count * inputs_,
                              destination);
        }
        destination += count * tapBytes_;
        t += count;
    }
}

// How many taps from `first` on, which reads column x, read pixels that lie behind each other.
std::size_t ConvolutionPatches::neighboursInside(std::size_t first, std::int64_t x) const {
    if (conv_.groups != 1) {
        return 1;
    }
    const auto& taps = columnPlan_.taps;
    std::size_t end = first + 1;
    while (end < taps.size() && taps[end].input == taps[end - 1].input + 1 &&
           ++x < conv_.inputShape.columns) {
        ++end;
    }
    return end - first;
}

void ConvolutionPatches::pad(std::byte* destination, std::size_t bytes) const {
    std::memset(destination, std::to_integer<int>(format_.inputPadding()), bytes);
}

}  // namespace vnpu::hw::kernels
