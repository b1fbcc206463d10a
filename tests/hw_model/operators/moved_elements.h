// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/hw_model/operators/operator_case.h"

namespace vnpu::test {

/// Random calls of one operator.
inline constexpr int kCases = 300;

/// One index per axis.
using Index = std::vector<std::uint32_t>;

/// Types that a tensor can have, of every element size.
inline constexpr hw::TensorType kTensorTypes[] = {hw::TensorType::kFloat32,
                                                  hw::TensorType::kFloat16,
                                                  hw::TensorType::kInt32,
                                                  hw::TensorType::kQuant8Asymm,
                                                  hw::TensorType::kQuant8AsymmSigned,
                                                  hw::TensorType::kBool8,
                                                  hw::TensorType::kQuant16Symm,
                                                  hw::TensorType::kQuant16Asymm,
                                                  hw::TensorType::kQuant8Symm,
                                                  hw::TensorType::kQuant8SymmPerChannel};

/// A tensor of random bytes.
struct MovedTensor {
    OperandKind kind;
    hw::Dimensions dimensions;
    std::vector<std::byte> bytes;

    MovedTensor(Random& random, hw::TensorType type, const hw::Dimensions& extents);
    MovedTensor(Random& random, const hw::Dimensions& extents)
        : MovedTensor(random, kTensorTypes[random.pick<std::size_t>(0, 9)], extents) {}

    void addTo(OperatorCase& call) const { call.add(kind, dimensions, bytes.data(), bytes.size()); }
    /// The element at an index, and an element with the low bytes of `value`.
    std::vector<std::byte> at(const Index& index) const;
    std::vector<std::byte> stored(std::int32_t value) const;
};

/// Dimensions of `least` to `most` axes with up to `longest` elements, occasionally 0.
hw::Dimensions randomDimensions(Random& random, std::int64_t least, std::int64_t most,
                                std::int64_t longest);

/// Calls function with the index of every element, in storage order.
void forEachIndex(const hw::Dimensions& dimensions, const std::function<void(const Index&)>& f);

std::size_t flatIndex(const hw::Dimensions& dimensions, const Index& index);

/// Runs the call and compares each element of an output with its definition; empty if they are the
/// same.
std::string compareMoved(const OperatorCase& call, std::size_t output,
                         const hw::Dimensions& expected,
                         const std::function<std::vector<std::byte>(const Index&)>& element);

/// The reason for which a call is refused; "runs" if it is not.
std::string refusalOf(OperatorCase& call);

/// Whether `call` runs and its first output has these dimensions.
bool makes(OperatorCase& call, const hw::Dimensions& expected);

/// An axis as NNAPI may name it: from the front or from the end.
inline std::int32_t axisName(Random& random, std::size_t axis, std::size_t rank) {
    const auto name = static_cast<std::int32_t>(axis);
    return random.oneIn(2) ? name : name - static_cast<std::int32_t>(rank);
}

}  // namespace vnpu::test
