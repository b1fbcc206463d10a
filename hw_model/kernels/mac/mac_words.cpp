// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_words.h"

#include "hw_model/kernels/support/processor_level.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint8_t kTopBit = 0x80;

void flipTopBits(const std::byte* source, std::size_t count, std::byte* destination) {
    for (std::size_t i = 0; i < count; ++i) {
        destination[i] = source[i] ^ std::byte{kTopBit};
    }
}

void copyFlipped(const std::byte* source, std::size_t count, std::uint8_t flip,
                 std::byte* destination) {
    if (flip == 0) {
        std::memcpy(destination, source, count);
    } else {
        ByLevel<&flipTopBits>::select()(source, count, destination);
    }
}

}  // namespace

WordFormat::WordFormat(const Operands& operands, const MacBackend& backend)
    : operands_(operands), backend_(backend) {
    if (operands.inputType == ElementType::kFloat32) {
        kind_ = Kind::kFloats;
        stepBytes_ = sizeof(float);
        gemm_ = backend.gemmFloat;
    } else if (backend.gemmInt8 == nullptr) {
        kind_ = Kind::kPairs;
        stepBytes_ = sizeof(std::int16_t);
        gemm_ = backend.gemmInt16;
    } else {
        kind_ = Kind::kBytes;
        stepBytes_ = sizeof(std::int8_t);
        gemm_ = backend.gemmInt8;
        inputFlip_ = operands.inputType == ElementType::kInt8 ? kTopBit : 0;
        filterFlip_ = operands.filterType == ElementType::kInt8 ? 0 : kTopBit;
        inputZeroPoint_ = operands.inputZeroPoint + inputFlip_;
        filterZeroPoint_ = operands.filterZeroPoint - filterFlip_;
    }
}

void WordFormat::copyInput(const std::byte* source, std::size_t count,
                           std::byte* destination) const {
    if (kind_ == Kind::kPairs) {
        backend_.widen(source, count, operands_.inputType == ElementType::kInt8,
                       operands_.inputZeroPoint, destination);
    } else {
        copyFlipped(source, count * stepBytes_, inputFlip_, destination);
    }
}

void WordFormat::copyInput(const std::byte* source, std::size_t count, std::byte* destination,
                           const std::byte* sourceEnd) const {
    const auto copy = shortCopy(count);
    if (copy && static_cast<std::size_t>(sourceEnd - source) >= copy->bytes + kSlackBytes) {
        (*copy)(source, destination);
    } else {
        copyInput(source, count, destination);
    }
}

std::optional<WordFormat::ShortCopy> WordFormat::shortCopy(std::size_t count) const {
    const std::size_t bytes = count * stepBytes_;
    if (kind_ == Kind::kPairs || bytes > 4 * kSlackBytes) {
        return std::nullopt;
    }
    return ShortCopy{.bytes = bytes, .flip = std::byte{inputFlip_}};
}

void WordFormat::copyFilter(const std::byte* source, std::size_t count,
                            std::byte* destination) const {
    if (kind_ == Kind::kPairs) {
        backend_.widen(source, count, operands_.filterType == ElementType::kInt8,
                       operands_.filterZeroPoint, destination);
    } else {
        copyFlipped(source, count * stepBytes_, filterFlip_, destination);
    }
}

}  // namespace vnpu::hw::kernels
