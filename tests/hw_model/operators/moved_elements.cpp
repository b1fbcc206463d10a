// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/operators/moved_elements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vnpu::test {

MovedTensor::MovedTensor(Random& random, hw::TensorType type, const hw::Dimensions& extents)
    : kind{type, 0.5F, random.pick<std::int32_t>(0, 100)},
      dimensions(extents),
      bytes(extents.elements() * hw::elementBytes(type)) {
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random.between(0, 255));
    }
}

std::vector<std::byte> MovedTensor::at(const Index& index) const {
    const std::size_t size = hw::elementBytes(kind.type);
    const auto* first = bytes.data() + flatIndex(dimensions, index) * size;
    return {first, first + size};
}

std::vector<std::byte> MovedTensor::stored(std::int32_t value) const {
    std::vector<std::byte> element(hw::elementBytes(kind.type));
    for (std::size_t i = 0; i < element.size(); ++i) {
        element[i] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
    }
    return element;
}

hw::Dimensions randomDimensions(Random& random, std::int64_t least, std::int64_t most,
                                std::int64_t longest) {
    hw::Dimensions dimensions;
    const std::int64_t rank = random.between(least, most);
    for (std::int64_t i = 0; i < rank; ++i) {
        dimensions.append(random.oneIn(40) ? 0 : random.pick<std::uint32_t>(1, longest));
    }
    return dimensions;
}

void forEachIndex(const hw::Dimensions& dimensions, const std::function<void(const Index&)>& f) {
    Index index(dimensions.rank());
    for (std::uint64_t flat = 0; flat < dimensions.elements(); ++flat) {
        std::uint64_t rest = flat;
        for (std::size_t axis = dimensions.rank(); axis-- > 0;) {
            index[axis] = static_cast<std::uint32_t>(rest % dimensions[axis]);
            rest /= dimensions[axis];
        }
        f(index);
    }
}

std::size_t flatIndex(const hw::Dimensions& dimensions, const Index& index) {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < dimensions.rank(); ++axis) {
        flat = flat * dimensions[axis] + index.at(axis);
    }
    return flat;
}

std::string compareMoved(const OperatorCase& call, std::size_t output,
                         const hw::Dimensions& expected,
                         const std::function<std::vector<std::byte>(const Index&)>& element) {
    if (!(call.dimensions(output) == expected)) {
        return fmt::format("output {} is [{}], expected [{}]", output,
                           fmt::join(call.dimensions(output), ", "), fmt::join(expected, ", "));
    }
    const auto actual = call.values<std::byte>(output);
    std::size_t position = 0;
    std::string difference;
    forEachIndex(expected, [&](const Index& index) {
        const std::vector<std::byte> bytes = element(index);
        if (difference.empty() &&
            !std::equal(bytes.begin(), bytes.end(),
                        actual.begin() + static_cast<std::ptrdiff_t>(position))) {
            difference = fmt::format("element [{}] of [{}] differs", fmt::join(index, ", "),
                                     fmt::join(expected, ", "));
        }
        position += bytes.size();
    });
    return position == actual.size() ? difference : "another number of bytes";
}

std::string refusalOf(OperatorCase& call) {
    return call.run() == hw::JobStatus::kBadOperand ? call.reason() : "runs";
}

bool makes(OperatorCase& call, const hw::Dimensions& expected) {
    return call.run() == hw::JobStatus::kOk && call.dimensions(0) == expected;
}

}  // namespace vnpu::test
