// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/input_data.h"

#include <cstring>

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;

/// Calls `value` for each complete element and stores the returned value.
template <typename Element, typename Value>
void fillElements(std::span<std::byte> bytes, Value&& value) {
    for (std::size_t at = 0; at + sizeof(Element) <= bytes.size(); at += sizeof(Element)) {
        const Element element = value();
        std::memcpy(bytes.data() + at, &element, sizeof(Element));
    }
}

/// A half precision number in (-1, 1): random sign and mantissa, exponent of [0.25, 0.5) or [0.5,
/// 1).
std::uint16_t randomHalf(Random& random) {
    constexpr std::uint16_t kExponentOfQuarter = 13;  // bias 15
    const std::uint64_t bits = random.next();
    const auto exponent = static_cast<std::uint16_t>(kExponentOfQuarter + (bits >> 16 & 1U));
    return static_cast<std::uint16_t>((bits & 0x83FFU) | static_cast<unsigned>(exponent) << 10);
}

}  // namespace

void fillInput(const TensorDescription& tensor, std::span<std::byte> bytes, Random& random) {
    switch (tensor.type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            fillElements<float>(bytes, [&] {
                const auto step = static_cast<std::int32_t>(random.next() >> 40) - (1 << 23);
                return static_cast<float>(step) * 0x1.0p-23F;
            });
            break;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            fillElements<std::uint16_t>(bytes, [&] { return randomHalf(random); });
            break;
        case OperandType::INT32:
        case OperandType::UINT32:
        case OperandType::TENSOR_INT32:
            fillElements<std::int32_t>(
                    bytes, [&] { return static_cast<std::int32_t>(random.next() >> 61); });
            break;
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
            fillElements<std::uint8_t>(
                    bytes, [&] { return static_cast<std::uint8_t>(random.next() >> 63); });
            break;
        default:
            fillElements<std::uint8_t>(
                    bytes, [&] { return static_cast<std::uint8_t>(random.next() >> 56); });
            break;
    }
}

void fillInputs(const Network& network, ModelRunner& runner, Random& random) {
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
        fillInput(network.inputs[i], runner.input(i), random);
    }
}

std::uint64_t hashOutputs(const Network& network, const ModelRunner& runner, std::uint64_t hash) {
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        const std::span<const std::byte> bytes = runner.output(i);
        hash = fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, hash);
    }
    return hash;
}

}  // namespace vnpu::sim
