// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr std::array kRungs = {
        Rung{"systolic", "MAC cycles of systolic arrays compared with SCALE-Sim, layer by layer",
             systolicRows},
        Rung{"nvdla", "frames per second of three networks compared with NVDLA's published table",
             nvdlaRows},
        Rung{"ethos-u", "cycles and order of small networks compared with Arm Vela's estimates",
             ethosURows},
        Rung{"onnxim", "cycles of double-buffered systolic arrays compared with ONNXim",
             onnximRows},
        Rung{"bandwidth", "one layer at many bandwidths, compared with the closed form at each",
             bandwidthRows},
        Rung{"sram", "one layer with many sizes of SRAM, compared with the closed form at each",
             sramRows},
        Rung{"latency", "the smallest layer, compared with the published latencies", latencyRows},
        Rung{"engines", "single operations of each engine, compared with counts by hand",
             engineRows},
        Rung{"estimate", "the driver's estimates compared with the device's cycles", estimateRows},
        Rung{"roofline", "networks compared with the least time of their products and bytes",
             rooflineRows},
        Rung{"silicon", "times of chips, for plausibility and without a verdict", siliconRows},
        Rung{"mutants", "wrong models, each of which another rung must refuse", nullptr},
};

}  // namespace

std::span<const Rung> rungs() {
    return kRungs;
}

}  // namespace vnpu::sim
