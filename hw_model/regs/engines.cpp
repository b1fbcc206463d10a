// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/engines.h"

#include <array>

namespace vnpu::hw {
namespace {

constexpr std::array<std::string_view, kEngineCount> kEngineNames = {
        "dma0", "dma1", "dma2", "dma3", "mac", "vector", "dsp", "controller"};

}  // namespace

std::string_view engineName(Engine engine) {
    const std::size_t index = engineIndex(engine);
    return index < kEngineNames.size() ? kEngineNames[index] : std::string_view("?");
}

}  // namespace vnpu::hw
