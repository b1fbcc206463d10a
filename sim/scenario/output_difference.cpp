// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/output_difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/media/tensor_values.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

std::optional<std::string> differenceOf(const TensorDescription& tensor,
                                        std::span<const std::byte> expected,
                                        std::span<const std::byte> actual) {
    const std::size_t size = std::max<std::size_t>(elementBytes(tensor.type), 1);
    const std::size_t elements = std::min(expected.size(), actual.size()) / size;
    std::optional<std::size_t> first;
    std::size_t count = 0;
    for (std::size_t i = 0; i < elements; ++i) {
        if (!std::ranges::equal(expected.subspan(i * size, size), actual.subspan(i * size, size))) {
            first = first.value_or(i);
            ++count;
        }
    }
    if (!first) {
        return std::nullopt;
    }
    return fmt::format("element {} is {:.9g}, expected {:.9g} ({} of {} elements differ)", *first,
                       media::elementValue(tensor.type, actual, *first),
                       media::elementValue(tensor.type, expected, *first), count, elements);
}

}  // namespace vnpu::sim
