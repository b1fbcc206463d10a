// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr std::array kRungs = {
        Rung{"systolic", "MAC cycles of systolic arrays compared with SCALE-Sim, layer by layer",
             runSystolicRung},
        Rung{"nvdla", "frames per second of three networks compared with NVDLA's published table",
             runNvdlaRung},
        Rung{"ethos-u", "cycles and order of small networks compared with Arm Vela's estimates",
             runEthosURung},
        Rung{"bandwidth",
             "bandwidth at which a layer no longer waits for memory, compared with the closed form",
             runBandwidthRung},
        Rung{"sram", "SRAM size at which every byte moves once, compared with the closed form",
             runSramRung},
        Rung{"estimate", "the driver's estimates compared with the device's cycles",
             runEstimateRung},
};

}  // namespace

std::span<const Rung> rungs() {
    return kRungs;
}

}  // namespace vnpu::sim
