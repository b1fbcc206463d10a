// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_panels.h"

#include <algorithm>
#include <cstring>

#include "hw_model/kernels/support/fixed_point.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {

FilterPanels::FilterPanels(const Matrix& filter, const MacBackend& backend,
                           const WordFormat& format)
    : backend_(backend),
      format_(format),
      filter_(filter.elements),
      channels_(filter.channels),
      depth_(filter.depth),
      words_(format.wordsFor(depth_)),
      channelBytes_(depth_ * filter.elementBytes) {}

void FilterPanels::pack(std::size_t panel, std::size_t first, std::size_t count,
                        std::uint32_t* destination, std::int32_t* offsets) const {
    const std::size_t channel = panel * kPanelColumns;
    const bool isWhole = depth_ == words_ * format_.steps() && channel + kPanelColumns <= channels_;
    if (isWhole && format_.isFilterAsIs()) {
        backend_.packPanel(filter_ + channel * channelBytes_ + first * sizeof(std::uint32_t),
                           channelBytes_, count, destination);
    } else {
        packConverted(channel, first, count, destination);
    }
    if (format_.isBytes()) {
        setOffsets(destination, first, count, offsets);
    }
}

const std::byte* FilterPanels::source(std::size_t panel, std::size_t firstWord) const {
    const std::size_t channel = panel * kPanelColumns;
    return channel < channels_ ? filter_ + channel * channelBytes_ +
                                         firstWord * format_.steps() * channelBytes_ / depth_
                               : nullptr;
}

// Converts rows of words first, with zeros beyond the last step and the last channel.
void FilterPanels::packConverted(std::size_t channel, std::size_t first, std::size_t count,
                                 std::uint32_t* destination) const {
    thread_local Scratch<std::byte> scratch;
    const std::size_t rowBytes = count * sizeof(std::uint32_t);
    const std::size_t firstStep = first * format_.steps();
    const std::size_t steps = std::min(count * format_.steps(), depth_ - firstStep);
    const std::size_t stepBytes = steps * format_.stepBytes();
    const std::size_t elementBytes = channelBytes_ / depth_;
    std::byte* rows = scratch.reserve(kPanelColumns * rowBytes);
    for (std::size_t r = 0; r < kPanelColumns; ++r) {
        std::byte* row = rows + r * rowBytes;
        if (channel + r < channels_) {
            format_.copyFilter(filter_ + (channel + r) * channelBytes_ + firstStep * elementBytes,
                               steps, row);
            std::memset(row + stepBytes, 0, rowBytes - stepBytes);
        } else {
            std::memset(row, 0, rowBytes);
        }
    }
    backend_.packPanel(rows, rowBytes, count, destination);
}

// sum (x - zx)(w - zw) = sum xw - zw sum x - zx sum w + count zx zw; the second term depends on the
// row.
void FilterPanels::setOffsets(const std::uint32_t* panel, std::size_t first, std::size_t count,
                              std::int32_t* offsets) const {
    const std::size_t steps = std::min(count * format_.steps(), depth_ - first * format_.steps());
    const std::int32_t constant =
            wrappingMultiply(wrappingMultiply(format_.inputZeroPoint(), format_.filterZeroPoint()),
                             static_cast<std::int32_t>(steps));
    backend_.sumPanel(panel, count, offsets);
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
        offsets[c] =
                wrappingSubtract(constant, wrappingMultiply(format_.inputZeroPoint(), offsets[c]));
    }
}

}  // namespace vnpu::hw::kernels
