// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/validate/ethosu/vela_accelerator.h"

namespace vnpu::sim {

struct EthosURow {
    const char* network;                                         // of the zoo
    double millionProducts;                                      // as Vela counts them
    std::array<std::uint64_t, kVelaAccelerators.size()> cycles;  // by accelerator
    /// The share of the weights that a lossless code leaves at best: their entropy over 8 bits,
    /// layer by layer. source: counted in the published files of MLPerf Tiny and TensorFlow. There
    /// is no file for MobileNetV1-0.5; its share is the mean of its siblings 0.25 (0.764) and 1.0
    /// (0.681).
    double codedShare;
};

/// source: Arm Vela 3.10, performance estimates of its public model zoo's networks, total cycles;
/// system configurations Ethos_U55_High_End_Embedded and Ethos_U65_High_End
inline constexpr std::array<EthosURow, 6> kEthosURows = {
        {{"autoencoder", 0.264, {201'248, 201'248, 67'591, 61'377}, 0.644},
         {"ds_cnn", 2.82, {84'604, 51'430, 52'274, 35'172}, 0.944},
         {"mobilenet_v1_025_96", 7.66, {220'831, 158'938, 250'129, 203'127}, 0.187},
         {"resnet8", 12.5, {201'794, 141'623, 107'368, 72'020}, 0.914},
         {"mobilenet_v1_05_160", 77.5, {1'870'506, 1'506'705, 1'164'348, 894'882}, 0.72},
         {"mobilenet_v2", 304.0, {7'615'863, 5'417'955, 4'183'763, 3'061'837}, 0.785}}};

}  // namespace vnpu::sim
