// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/fault_kind.h"

#include <array>

namespace vnpu::hw {

namespace {

constexpr std::array<std::string_view, kFaultKindCount> kNames = {
        "dma-error",      "mmu-fault",        "sram-bit-flip",  "sram-double-flip",
        "dram-bit-flip",  "dram-double-flip", "engine-hang",    "engine-stuck",
        "engine-slow",    "controller-hang",  "lost-interrupt", "spurious-interrupt",
        "corrupt-record", "corrupt-message",  "wrong-result"};

}  // namespace

std::string_view faultKindName(FaultKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace vnpu::hw
