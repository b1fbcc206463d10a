// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/convolution_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "hw_model/kernels/mac/mac_drain.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY
#include "hw_model/regs/rounding.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kMaxFilterWords = std::uint64_t{1} << 29;  // chosen: far above any network

JobStatus requireWords(OperatorCall& call, std::uint64_t words) {
    return words <= kMaxFilterWords
                   ? JobStatus::kOk
                   : call.refuse(fmt::format("filter takes {} words, expected at most {}", words,
                                             kMaxFilterWords));
}

/// Words of the panels of `groups` such convolutions.
std::uint64_t panelWords(const Convolution& work, std::uint64_t groups) {
    const WordFormat format(work.types, macBackend());
    return groups * divideUp(work.outputChannels, kPanelColumns) * kPanelColumns *
           format.wordsFor(work.taps() * work.inputChannels);
}

ConvolutionAxis forwardAxis(const WindowAxis& axis) {
    return {.input = axis.input,
            .taps = axis.window,
            .output = axis.output,
            .stride = axis.stride,
            .dilation = axis.dilation,
            .padding = axis.padHead};
}

JobStatus computeGroups(OperatorCall& call, const WholeConvolution& whole) {
    Convolution group = whole.work;
    group.rows = forwardAxis(whole.rows);
    group.columns = forwardAxis(whole.columns);
    group.inputChannels /= whole.groups;
    group.outputChannels /= whole.groups;
    VNPU_TRY(requireWords(call, panelWords(group, whole.groups)));
    const std::size_t depth = group.taps() * group.inputChannels;
    const std::size_t bytes = group.elementBytes();
    forEachTask(whole.groups, whole.groups * group.pixels() * group.outputChannels * depth,
                [&](std::size_t index) {
                    const std::size_t channel = index * group.outputChannels;
                    Convolution work = group;
                    work.input += index * group.inputChannels * bytes;
                    work.filter += channel * depth * bytes;
                    work.output += channel * bytes;
                    work.bias += channel * kOutputBiasBytes;
                    if (work.scales != nullptr) {
                        work.scales += channel * kOutputScaleBytes;
                    }
                    convolve(macBackend(), work);
                });
    return JobStatus::kOk;
}

JobStatus computeDepthwise(OperatorCall& call, const WholeConvolution& whole) {
    Convolution work = whole.work;
    work.rows = forwardAxis(whole.rows);
    work.columns = forwardAxis(whole.columns);
    work.isDepthwise = true;
    work.depthMultiplier = work.outputChannels / work.inputChannels;
    VNPU_TRY(requireWords(call, std::uint64_t{work.outputChannels} * work.taps()));
    convolve(macBackend(), work);
    return JobStatus::kOk;
}

/// Outputs of a transposed convolution at the same position within a stride: output i lies at first
/// + i * stride and equals a convolution with every stride-th tap in reverse order.
struct Phase {
    std::int64_t first = 0;
    std::int64_t lastTap = 0;
    ConvolutionAxis axis;
};

/// Outputs that no tap reaches belong to no phase.
std::vector<Phase> phasesOf(const WindowAxis& axis) {
    std::vector<Phase> phases;
    for (std::int64_t tap = 0; tap < std::min(axis.window, axis.stride); ++tap) {
        // Input i reaches output i * stride - padHead + k through tap k.
        const std::int64_t position = tap - axis.padHead;
        const std::int64_t first = (position % axis.stride + axis.stride) % axis.stride;
        if (first >= axis.output) {
            continue;
        }
        const std::int64_t more = (axis.window - 1 - tap) / axis.stride;
        phases.push_back({.first = first,
                          .lastTap = tap + more * axis.stride,
                          .axis = {.input = axis.input,
                                   .taps = more + 1,
                                   .output = (axis.output - first - 1) / axis.stride + 1,
                                   .padding = more - (first - position) / axis.stride}});
    }
    std::sort(phases.begin(), phases.end(),
              [](const Phase& a, const Phase& b) { return a.first < b.first; });
    return phases;
}

bool isCovered(const std::vector<Phase>& phases, std::int64_t outputs) {
    std::int64_t covered = 0;
    for (const Phase& phase : phases) {
        covered += phase.axis.output;
    }
    return covered == outputs;
}

/// Sets all outputs to the value that they have if no tap reaches them.
void fillWithBias(const Convolution& work) {
    const Drain drain(work, macBackend());
    const std::vector<std::int32_t> sums(work.outputChannels, 0);  // zero as floats, too
    for (std::size_t pixel = 0; pixel < work.pixels(); ++pixel) {
        drain.run(reinterpret_cast<const std::byte*>(sums.data()), pixel, 1);
    }
}

/// The taps of two phases, in the order of their inputs.
std::vector<std::byte> gatherFilter(const WholeConvolution& whole, const Phase& rows,
                                    const Phase& columns) {
    const Convolution& work = whole.work;
    const std::size_t tapBytes = work.inputChannels * work.elementBytes();
    const auto channels = static_cast<std::int64_t>(work.outputChannels);
    std::vector<std::byte> filter(
            static_cast<std::size_t>(channels * rows.axis.taps * columns.axis.taps) * tapBytes);
    std::byte* end = filter.data();
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        for (std::int64_t i = 0; i < rows.axis.taps; ++i) {
            const std::int64_t row =
                    channel * whole.rows.window + rows.lastTap - i * whole.rows.stride;
            for (std::int64_t j = 0; j < columns.axis.taps; ++j) {
                const std::int64_t tap =
                        row * whole.columns.window + columns.lastTap - j * whole.columns.stride;
                std::memcpy(end, work.filter + static_cast<std::size_t>(tap) * tapBytes, tapBytes);
                end += tapBytes;
            }
        }
    }
    return filter;
}

JobStatus computePhase(OperatorCall& call, const WholeConvolution& whole, const Phase& rows,
                       const Phase& columns) {
    Convolution work = whole.work;
    work.rows = rows.axis;
    work.columns = columns.axis;
    VNPU_TRY(requireWords(call, panelWords(work, 1)));
    const std::vector<std::byte> filter = gatherFilter(whole, rows, columns);
    work.filter = filter.data();
    PixelStrides& strides = work.outputStrides;
    work.output += static_cast<std::size_t>(rows.first) * strides.row +
                   static_cast<std::size_t>(columns.first) * strides.pixel;
    strides.row *= static_cast<std::size_t>(whole.rows.stride);
    strides.pixel *= static_cast<std::size_t>(whole.columns.stride);
    convolve(macBackend(), work);
    return JobStatus::kOk;
}

JobStatus computeTransposed(OperatorCall& call, const WholeConvolution& whole) {
    const std::vector<Phase> rowPhases = phasesOf(whole.rows);
    const std::vector<Phase> columnPhases = phasesOf(whole.columns);
    if (!isCovered(rowPhases, whole.rows.output) ||
        !isCovered(columnPhases, whole.columns.output)) {
        Convolution outputs = whole.work;
        outputs.rows.output = whole.rows.output;
        outputs.columns.output = whole.columns.output;
        fillWithBias(outputs);
    }
    for (const Phase& rows : rowPhases) {
        for (const Phase& columns : columnPhases) {
            VNPU_TRY(computePhase(call, whole, rows, columns));
        }
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus computeConvolution(OperatorCall& call, const WholeConvolution& whole) {
    switch (whole.kind) {
        case WholeConvolution::Kind::kDepthwise:
            return computeDepthwise(call, whole);
        case WholeConvolution::Kind::kTransposed:
            return computeTransposed(call, whole);
        case WholeConvolution::Kind::kForward:
            break;
    }
    return computeGroups(call, whole);
}

}  // namespace vnpu::hw::kernels
