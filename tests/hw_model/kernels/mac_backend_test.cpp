// SPDX-License-Identifier: Apache-2.0
// The arithmetic of every backend is held to the reference by mac_conv_test.cpp; here the layouts
// between the parts.
#include "hw_model/kernels/mac_backend.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"

namespace vnpu::test {
namespace {

using hw::kernels::kPanelColumns;
using hw::kernels::MacBackend;
using hw::kernels::supportedBackends;

}  // namespace

TEST_SUITE("hw_model/kernels/mac_backend") {
    TEST_CASE("plain code runs everywhere and is the last choice [E-2]") {
        REQUIRE(!supportedBackends().empty());
        CHECK(std::string(supportedBackends().front()->name) == "generic");
        for (const MacBackend* backend : supportedBackends()) {
            CHECK(backend->isSupported());
        }
    }

    TEST_CASE("widening subtracts the zero point and touches no byte beyond [E-2]") {
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
}

}  // namespace vnpu::test
