// SPDX-License-Identifier: Apache-2.0
// mac_conv_test.cpp compares the arithmetic of every backend with the reference; this file tests
// the data layouts between the parts.
#include "hw_model/kernels/mac/mac_backend.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"

namespace vnpu::test {
namespace {

using hw::kernels::bestProcessorLevel;
using hw::kernels::kEigenBackend;
using hw::kernels::kPanelColumns;
using hw::kernels::MacBackend;
using hw::kernels::supportedBackends;

// Accumulators, tables and outputs of a drain; every value may be at a limit of its range.
struct DrainCase {
    static constexpr std::size_t kMostPixels = 5;
    static constexpr std::size_t kStep = 64;  // of accumulators and outputs, at least the channels

    explicit DrainCase(std::uint32_t seed) {
        Random random(seed);
        pixels = random.pick<std::size_t>(1, kMostPixels);
        channels = random.pick<std::size_t>(1, kStep);
        // Backends have faster loops for scales below 1, where no shift is to the left.
        const std::int64_t leastShift = random.between(0, 2);
        const std::int64_t mostShift = random.oneIn(2) ? random.between(20, 24) : 31;
        for (std::size_t i = 0; i < kMostPixels * kStep; ++i) {
            const std::int64_t ends[] = {INT32_MIN, INT32_MAX, -(1 << 20), 1 << 20};
            const std::int64_t reach = std::int64_t{1} << random.between(0, 31);
            accumulators.push_back(random.oneIn(8)
                                           ? static_cast<std::int32_t>(ends[random.between(0, 3)])
                                           : random.pick<std::int32_t>(-reach, reach - 1));
        }
        for (std::size_t c = 0; c < channels; ++c) {
            bias.push_back(random.pick<std::int32_t>(-1000, 1000));
            multiplier.push_back(random.oneIn(2)
                                         ? 0x40000000
                                         : random.pick<std::int32_t>(-INT32_MAX, INT32_MAX));
            // At most one of the shifts is not zero.
            const bool isUp = leastShift == 0 && random.oneIn(2);
            left.push_back(isUp ? random.pick<std::int32_t>(0, 31) : 0);
            right.push_back(isUp ? 0 : random.pick<std::int32_t>(leastShift, mostShift));
        }
        // Unsigned or signed bytes.
        const std::int32_t least = random.oneIn(2) ? 0 : INT8_MIN;
        zeroPoint = least + random.pick<std::int32_t>(0, 250);
        clampMax = least + random.pick<std::int32_t>(250, 255);
        // At the zero point as after a RELU, or next to it.
        clampMin = random.oneIn(2) ? std::max(zeroPoint + random.pick<std::int32_t>(-1, 1), least)
                                   : least + random.pick<std::int32_t>(0, 3);
    }

    std::vector<std::byte> drainedOn(const MacBackend& backend) const {
        std::vector<std::byte> output(kMostPixels * kStep, std::byte{0xA5});
        backend.drainInt8({.accumulators = reinterpret_cast<const std::byte*>(accumulators.data()),
                           .accumulatorStep = kStep,
                           .output = output.data(),
                           .outputStep = kStep,
                           .pixels = pixels,
                           .channels = channels,
                           .bias = bias.data(),
                           .multiplier = multiplier.data(),
                           .leftShift = left.data(),
                           .rightShift = right.data(),
                           .zeroPoint = zeroPoint,
                           .clampMin = clampMin,
                           .clampMax = clampMax});
        return output;
    }

    std::size_t pixels = 0;
    std::size_t channels = 0;
    std::int32_t zeroPoint = 0;
    std::int32_t clampMin = 0;
    std::int32_t clampMax = 0;
    std::vector<std::int32_t> accumulators, bias, multiplier, left, right;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/mac_backend");

TEST_CASE("plain code runs everywhere and is the last choice [E-2]") {
    REQUIRE(!supportedBackends().empty());
    CHECK(std::string(supportedBackends().front()->name) == "eigen");
    for (const MacBackend* backend : supportedBackends()) {
        CHECK((backend->level <= bestProcessorLevel()));
        CHECK((hw::kernels::levelNamed(backend->name) == backend->level));
    }
}

TEST_CASE("widening subtracts the zero point and writes nothing beyond [E-2]") {
    for (const MacBackend* backend : supportedBackends()) {
        for (const bool isSigned : {false, true}) {
            for (std::size_t count = 0; count < 70; ++count) {
                Random random(static_cast<std::uint32_t>(count));
                TileMemory memory(random);
                const std::uint32_t source = memory.place(count);
                const std::uint32_t destination = memory.place(2 * count);
                const auto zeroPoint = random.pick<std::int32_t>(isSigned ? -128 : 0, 127);
                TileMemory expected = memory;
                for (std::size_t i = 0; i < count; ++i) {
                    const int value = isSigned ? int{memory.load<std::int8_t>(source + i)}
                                               : int{memory.load<std::uint8_t>(source + i)};
                    expected.store(destination + 2 * i,
                                   static_cast<std::int16_t>(value - zeroPoint));
                }
                backend->widen(memory.data() + source, count, isSigned, zeroPoint,
                               memory.data() + destination);
                CAPTURE(backend->name);
                REQUIRE(memory.bytes() == expected.bytes());
            }
        }
    }
}

TEST_CASE("a panel holds the words of 16 filters side by side [E-2]") {
    for (const MacBackend* backend : supportedBackends()) {
        for (std::size_t words = 1; words < 50; ++words) {
            std::vector<std::uint32_t> rows(kPanelColumns * words);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows[i] = static_cast<std::uint32_t>(i);
            }
            std::vector<std::uint32_t> panel(rows.size() + 1, 0xA5A5A5A5);
            backend->packPanel(reinterpret_cast<const std::byte*>(rows.data()),
                               words * sizeof(std::uint32_t), words, panel.data());
            CAPTURE(backend->name);
            CAPTURE(words);
            for (std::size_t k = 0; k < words; ++k) {
                for (std::size_t r = 0; r < kPanelColumns; ++r) {
                    REQUIRE(panel[k * kPanelColumns + r] == r * words + k);
                }
            }
            REQUIRE(panel.back() == 0xA5A5A5A5);
        }
    }
}

TEST_CASE("every backend scales and rounds like plain code [E-2]") {
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        const DrainCase c(seed);
        const std::vector<std::byte> expected = c.drainedOn(kEigenBackend);
        for (const MacBackend* backend : supportedBackends()) {
            CAPTURE(seed);
            CAPTURE(backend->name);
            REQUIRE(c.drainedOn(*backend) == expected);
        }
    }
}

TEST_CASE("sums of bytes include exactly their elements [E-2]") {
    for (const MacBackend* backend : supportedBackends()) {
        if (backend->gemmInt8 == nullptr) {
            CHECK((backend->gemmInt16 != nullptr));
            continue;
        }
        std::vector<std::byte> bytes(300, std::byte{0xFF});
        for (std::size_t count = 0; count < 200; ++count) {
            REQUIRE(backend->sumBytes(bytes.data(), count) ==
                    static_cast<std::int32_t>(255 * count));
        }
        // Column c of a panel holds c - 8 in its first byte, -1 in the others.
        std::vector<std::uint32_t> panel(kPanelColumns * 3);
        for (std::size_t i = 0; i < panel.size(); ++i) {
            panel[i] = 0xFFFFFF00U | ((i % kPanelColumns + 248) & 0xFFU);
        }
        std::vector<std::int32_t> sums(kPanelColumns);
        backend->sumPanel(panel.data(), 3, sums.data());
        for (std::size_t c = 0; c < kPanelColumns; ++c) {
            CHECK(sums[c] == 3 * (static_cast<std::int32_t>(c) - 8 - 3));
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
