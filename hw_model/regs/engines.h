// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vnpu::hw {

/// The device's engines. Each executes its commands in order and posts one token per finished
/// command; commands of different engines overlap unless they wait for tokens.
enum class Engine : std::uint8_t {
    kDma0 = 0,  // loads of activations
    kDma1 = 1,  // loads of weights and tables
    kDma2 = 2,  // stores
    kDma3 = 3,  // copies within memory
    kMac = 4,
    kVector = 5,
    kDsp = 6,  // whole operators
    kController = 7,
};

inline constexpr std::size_t kEngineCount = 8;
inline constexpr std::size_t kDmaChannelCount = 4;

constexpr std::size_t engineIndex(Engine engine) {
    return static_cast<std::size_t>(engine);
}

/// True for the engines that move memory.
constexpr bool isDma(Engine engine) {
    return engineIndex(engine) < kDmaChannelCount;
}

/// Short lower-case name for traces and disassembly ("dma0", "mac", ...).
std::string_view engineName(Engine engine);

}  // namespace vnpu::hw
