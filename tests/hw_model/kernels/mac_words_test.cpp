// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_words.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::kernels::MacBackend;
using hw::kernels::supportedBackends;
using hw::kernels::WordFormat;

WordFormat::Operands operandsOf(ElementType input, ElementType filter, std::int32_t inputZero,
                                std::int32_t filterZero) {
    return {.inputType = input,
            .inputZeroPoint = inputZero,
            .filterType = filter,
            .filterZeroPoint = filterZero};
}

// The value of a step minus the zero point that the format reports.
std::int32_t differenceAt(const WordFormat& format, const std::vector<std::byte>& steps,
                          std::size_t index, bool isInput) {
    if (!format.isBytes()) {
        std::int16_t pair = 0;
        std::memcpy(&pair, steps.data() + index * sizeof(pair), sizeof(pair));
        return pair;
    }
    const auto byte = std::to_integer<std::uint8_t>(steps[index]);
    return isInput ? byte - format.inputZeroPoint()
                   : static_cast<std::int8_t>(byte) - format.filterZeroPoint();
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/mac_words");

TEST_CASE("steps represent the difference to the zero point for all types [E-2]") {
    constexpr std::size_t kCount = 256;
    std::vector<std::byte> all(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        all[i] = static_cast<std::byte>(i);
    }
    for (const MacBackend* backend : supportedBackends()) {
        for (const bool isSigned : {false, true}) {
            const ElementType type = isSigned ? ElementType::kInt8 : ElementType::kUint8;
            const WordFormat::Operands operands =
                    operandsOf(type, type, isSigned ? -128 : 3, isSigned ? 5 : 255);
            const WordFormat format(operands, *backend);
            std::vector<std::byte> input(2 * kCount);
            std::vector<std::byte> filter(2 * kCount);
            format.copyInput(all.data(), kCount, input.data());
            format.copyFilter(all.data(), kCount, filter.data());
            CAPTURE(backend->name);
            CAPTURE(isSigned);
            for (std::size_t i = 0; i < kCount; ++i) {
                const auto level = static_cast<std::int32_t>(
                        isSigned && i > 127 ? static_cast<std::int64_t>(i) - 256
                                            : static_cast<std::int64_t>(i));
                REQUIRE(differenceAt(format, input, i, true) == level - operands.inputZeroPoint);
                REQUIRE(differenceAt(format, filter, i, false) == level - operands.filterZeroPoint);
            }
            if (format.isBytes()) {
                CHECK(std::to_integer<std::int32_t>(format.inputPadding()) ==
                      format.inputZeroPoint());
            }
        }
    }
}

TEST_CASE("a copy with slack writes the elements and nothing beyond the slack [E-2]") {
    for (const MacBackend* backend : supportedBackends()) {
        for (const ElementType type : {ElementType::kInt8, ElementType::kFloat32}) {
            const WordFormat::Operands operands = operandsOf(type, type, 1, 0);
            const WordFormat format(operands, *backend);
            const std::size_t elementBytes = hw::elementBytes(type);
            for (std::size_t count = 1; count < 70; ++count) {
                for (const std::size_t behind : {0U, 15U, 16U, 100U}) {
                    Random random(static_cast<std::uint32_t>(count));
                    // No byte may be read behind the end: the vector ends there.
                    std::vector<std::byte> source(count * elementBytes + behind);
                    for (std::byte& byte : source) {
                        byte = random.pick<std::byte>(0, 255);
                    }
                    const std::size_t bytes = count * format.stepBytes();
                    std::vector<std::byte> expected(bytes);
                    format.copyInput(source.data(), count, expected.data());
                    std::vector<std::byte> actual(bytes + WordFormat::kSlackBytes + 1,
                                                  std::byte{0x5A});
                    format.copyInput(source.data(), count, actual.data(),
                                     source.data() + source.size());
                    REQUIRE(std::memcmp(actual.data(), expected.data(), bytes) == 0);
                    REQUIRE(actual.back() == std::byte{0x5A});
                }
            }
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
