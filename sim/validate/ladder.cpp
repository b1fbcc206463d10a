// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr std::array kRungs = {
        Rung{"systolic", "MAC cycles of systolic arrays against SCALE-Sim, layer by layer",
             runSystolicRung},
        Rung{"nvdla", "frames a second of three networks against NVDLA's published table",
             runNvdlaRung},
        Rung{"ethos-u", "cycles and order of small networks against Arm Vela's estimates",
             runEthosURung},
        Rung{"bandwidth", "where a layer stops waiting for memory, against the closed form",
             runBandwidthRung},
        Rung{"sram", "SRAM with which every byte moves once, against the closed form", runSramRung},
        Rung{"estimate", "the driver's estimates against the device's cycles", runEstimateRung},
};

}  // namespace

std::span<const Rung> rungs() {
    return kRungs;
}

}  // namespace vnpu::sim
