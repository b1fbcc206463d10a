// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/operators/windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/graph/movement.h"

namespace vnpu::sim::onnx {

Kernel kernelOf(Context& context, std::vector<std::int64_t> size, const Dims& spatial) {
    Kernel kernel;
    const std::size_t rank = spatial.size();
    kernel.size =
            context.hasAttribute("kernel_shape") ? context.list("kernel_shape") : std::move(size);
    const auto listOr = [&](const char* name, std::size_t count, std::int64_t otherwise) {
        std::vector<std::int64_t> list = context.list(name);
        if (list.empty()) {
            list.assign(count, otherwise);
        }
        constexpr std::int64_t kMost = 1 << 16;  // chosen: beyond any model
        if (list.size() != count || *std::min_element(list.begin(), list.end()) < otherwise ||
            *std::max_element(list.begin(), list.end()) > kMost) {
            context.refuse(
                    fmt::format("{}, expected {} numbers from {} on", name, count, otherwise));
        }
        return list;
    };
    if (rank < 1 || rank > 3 || kernel.size.size() != rank ||
        *std::min_element(kernel.size.begin(), kernel.size.end()) < 1 ||
        *std::max_element(kernel.size.begin(), kernel.size.end()) > 1 << 16) {
        context.refuse(fmt::format("a window of {} dimensions over {}, expected 1 to 3",
                                   kernel.size.size(), rank));
    }
    kernel.stride = listOr("strides", rank, 1);
    kernel.dilation = listOr("dilations", rank, 1);
    const std::vector<std::int64_t> pads = listOr("pads", rank * 2, 0);
    kernel.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
    kernel.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
    const std::string automatic = context.text("auto_pad", "NOTSET");
    if (automatic == "VALID") {
        kernel.before.assign(rank, 0);
        kernel.after.assign(rank, 0);
    } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t places = (spatial[i] + kernel.stride[i] - 1) / kernel.stride[i];
            const std::int64_t total = std::max<std::int64_t>(
                    (places - 1) * kernel.stride[i] + kernel.reach(i) - spatial[i], 0);
            kernel.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
            kernel.after[i] = total - kernel.before[i];
        }
    } else if (automatic != "NOTSET" && !automatic.empty()) {
        context.refuse(fmt::format("auto_pad {}", automatic));
    }
    return kernel;
}

std::uint32_t placesOf(const Kernel& kernel, std::size_t i, std::uint32_t extent) {
    const std::int64_t room = extent + kernel.before[i] + kernel.after[i] - kernel.reach(i);
    if (room < 0) {
        throw Refusal(
                fmt::format("a window of {} does not fit {} elements", kernel.reach(i), extent));
    }
    return static_cast<std::uint32_t>(room / kernel.stride[i] + 1);
}

graph::Window windowOf(const Kernel& kernel) {
    graph::Window window;
    window.padding = graph::Window::Padding::kExplicit;
    for (std::size_t to = 2, from = kernel.rank(); to > 0 && from > 0; --to, --from) {
        window.stride[to - 1] = kernel.stride[from - 1];
        window.dilation[to - 1] = kernel.dilation[from - 1];
        window.before[to - 1] = kernel.before[from - 1];
        window.after[to - 1] = kernel.after[from - 1];
    }
    return window;
}

Value asImage(Context& context, const Value& value) {
    if (value.rank() != 3) {
        return value;
    }
    return graph::reshape(context.emitter(), value,
                          {value.dims[0], 1, value.dims[1], value.dims[2]});
}

Value depthSlices(Context& context, const Value& value, std::int64_t begin, std::int64_t stride,
                  std::uint32_t count) {
    graph::SliceSpec spec{std::vector<std::int64_t>(5, 0), std::vector<std::int64_t>(5, 1),
                          value.dims};
    spec.begin[1] = begin;
    spec.step[1] = stride;
    spec.count[1] = count;
    const Value part = graph::slice(context.emitter(), value, spec);
    return graph::reshape(context.emitter(), part,
                          {part.dims[0] * count, part.dims[2], part.dims[3], part.dims[4]});
}

}  // namespace vnpu::sim::onnx
