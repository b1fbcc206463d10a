// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/window.h"

#include <fmt/format.h>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/elementwise_direct.h"

namespace vnpu::sim::graph {

namespace {

void addPadding(Emitter& emitter, const Window& window, std::vector<Index>& inputs) {
    constexpr std::int64_t kSame = 1, kValid = 2;  // source: NDK, PaddingCode
    if (window.padding != Window::Padding::kExplicit) {
        inputs.push_back(
                emitter.integer(window.padding == Window::Padding::kSame ? kSame : kValid));
        return;
    }
    for (const std::int64_t border :
         {window.before[1], window.after[1], window.before[0], window.after[0]}) {
        if (border < 0 || border > INT32_MAX) {
            throw Refusal(fmt::format("padding is {}, expected 0 or more", border));
        }
        inputs.push_back(emitter.integer(border));
    }
}

}  // namespace

void requireImage(const Value& value, const char* what) {
    if (value.rank() != 4 || value.count() == 0) {
        throw Refusal(fmt::format("{} is {}, expected 4 dimensions", what,
                                  describeDimensions(value.dims)));
    }
}

void requireSteps(std::initializer_list<std::int64_t> values, const char* what) {
    for (const std::int64_t value : values) {
        if (value < 1 || value > INT32_MAX) {
            throw Refusal(fmt::format("{} is {}, expected at least 1", what, value));
        }
    }
}

void requireWindow(const Window& window) {
    requireSteps({window.stride[0], window.stride[1]}, "stride");
    requireSteps({window.dilation[0], window.dilation[1]}, "dilation");
}

std::uint32_t windowOutput(std::uint32_t input, std::int64_t size, const Window& window,
                           std::size_t dimension) {
    const std::int64_t stride = window.stride[dimension];
    const std::int64_t reach = (size - 1) * window.dilation[dimension] + 1;
    std::int64_t extent = input;
    if (window.padding == Window::Padding::kSame) {
        return static_cast<std::uint32_t>((extent - 1) / stride + 1);
    }
    if (window.padding == Window::Padding::kExplicit) {
        extent += window.before[dimension] + window.after[dimension];
    }
    if (reach > extent || reach < 1) {
        throw Refusal(fmt::format("a window of {} does not fit {} elements", reach, extent));
    }
    return static_cast<std::uint32_t>((extent - reach) / stride + 1);
}

void addPaddingAndStrides(Emitter& emitter, const Window& window, std::vector<Index>& inputs) {
    addPadding(emitter, window, inputs);
    inputs.push_back(emitter.integer(window.stride[1]));
    inputs.push_back(emitter.integer(window.stride[0]));
}

Index fuseOperand(Emitter& emitter, Clamp fused) {
    return emitter.integer(fused == Clamp::kTanh ? 0 : fuseCode(fused));
}

Value finishWindow(Emitter& emitter, const Value& result, Clamp fused, const Form& form) {
    return convert(emitter, fused == Clamp::kTanh ? clamp(emitter, result, fused) : result, form);
}

}  // namespace vnpu::sim::graph
