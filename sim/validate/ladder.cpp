// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr std::array kRungs = {
        Rung{"systolic", "MAC cycles of systolic arrays against SCALE-Sim, layer by layer",
             runSystolicRung},
};

}  // namespace

std::span<const Rung> rungs() {
    return kRungs;
}

}  // namespace vnpu::sim
