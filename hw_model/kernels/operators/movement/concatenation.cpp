// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

bool areQuantizedAlike(const Tensor& a, const Tensor& b) {
    return a.scale == b.scale && a.zeroPoint == b.zeroPoint;
}

/// Converts an element's byte to the unsigned type: signed values increase by 128.
constexpr unsigned kSignBit = 0x80;

/// Converts every byte of `input` to the quantization of `output`. source: TFLite's reference of
/// CONCATENATION, which works on unsigned bytes and in single precision.
std::array<std::byte, 256> requantizationTable(const Tensor& input, const Tensor& output) {
    const bool isSigned = input.type == TensorType::kQuant8AsymmSigned;
    const unsigned flip = isSigned ? kSignBit : 0;
    const auto offset = static_cast<std::int64_t>(flip);
    const float scale = input.scale * (1.0F / output.scale);
    const float bias = -static_cast<float>(input.zeroPoint + offset) * scale;
    std::array<std::byte, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        const float stored = static_cast<float>(byte ^ flip);
        const float value =
                std::round(stored * scale + bias) + static_cast<float>(output.zeroPoint + offset);
        const float clamped = std::clamp(value, 0.0F, 255.0F);
        table[byte] = static_cast<std::byte>(static_cast<unsigned>(clamped) ^ flip);
    }
    return table;
}

/// The output's dimensions, if all `parts` are compatible.
std::optional<Dimensions> joinedDimensions(OperatorCall& call, std::size_t parts,
                                           std::size_t axis) {
    Dimensions joined = call.input(0).dimensions;
    std::uint64_t extent = 0;
    for (std::size_t i = 0; i < parts; ++i) {
        Dimensions part = call.input(i).dimensions;
        const bool hasRank = part.rank() == joined.rank();
        extent += hasRank ? part[axis] : 0;
        if (hasRank) {
            part[axis] = joined[axis];
        }
        if (!(part == joined) || extent > UINT32_MAX) {
            return call.refuse(fmt::format(
                    "input {} of {} does not go with input 0 of {} along axis {}", i,
                    describe(call.input(i).dimensions), describe(call.input(0).dimensions), axis));
        }
    }
    joined[axis] = static_cast<std::uint32_t>(extent);
    return joined;
}

/// Requires scales if an 8-bit part must be converted to the quantization of the output.
JobStatus requireScales(OperatorCall& call, std::size_t parts) {
    const Tensor& output = call.output(0);
    for (std::size_t i = 0; i < parts; ++i) {
        const Tensor& part = call.input(i);
        if (isAsymm8(output) && !areQuantizedAlike(part, output) &&
            !(part.scale > 0.0F && output.scale > 0.0F && std::isfinite(part.scale) &&
              std::isfinite(1.0F / output.scale))) {
            return call.refuse(fmt::format("input {} has scale {}, the output {}", i, part.scale,
                                           output.scale));
        }
    }
    return JobStatus::kOk;
}

JobStatus concatenation(OperatorCall& call) {
    const std::size_t parts = call.inputCount() - 1;
    VNPU_TRY(requireScales(call, parts));
    VNPU_TRY_ASSIGN(const std::size_t axis,
                    resolveAxis(call, call.int32(parts), call.input(0).dimensions.rank()));
    VNPU_TRY_ASSIGN(const Dimensions joined, joinedDimensions(call, parts, axis));
    VNPU_TRY(call.settle(0, joined));
    if (joined.elements() == 0) {
        return JobStatus::kOk;
    }
    const Tensor& output = call.output(0);
    const auto outer = joined.elements(0, axis);
    const auto stride = static_cast<std::int64_t>(joined.elements(axis, joined.rank()));
    std::byte* to = call.write<std::byte>(0);
    for (std::size_t i = 0; i < parts; ++i) {
        const Tensor& part = call.input(i);
        const auto run = part.dimensions.elements(axis, joined.rank());
        CopyAxes axes;
        axes.add(outer, static_cast<std::int64_t>(run), stride);
        axes.add(run, 1, 1);
        copyStrided(axes, part.data, to, elementBytes(part.type));
        const bool isRescaled = elementBytes(part.type) == 1 && !areQuantizedAlike(part, output) &&
                                part.type != TensorType::kBool8;
        if (isRescaled) {
            const auto table = requantizationTable(part, output);
            for (std::uint64_t row = 0; row < outer; ++row) {
                std::byte* line = to + static_cast<std::int64_t>(row) * stride;
                std::transform(line, line + run, line, [&](std::byte byte) {
                    return table[std::to_integer<std::size_t>(byte)];
                });
            }
        }
        to += run * elementBytes(part.type);
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kConcatenationEntries[] = {
        {Operator::kConcatenation, {"T+i", "T"}, concatenation}};

}  // namespace

std::span<const OperatorEntry> concatenationOperators() {
    return kConcatenationEntries;
}

}  // namespace vnpu::hw::kernels
