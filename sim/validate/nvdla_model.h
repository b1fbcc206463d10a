// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "sim/models/network.h"

namespace vnpu::sim {

/// A network of NVDLA's sheet as a model, int8, weights zero.
struct NvdlaModel {
    std::string network;  // "resnet50", "alexnet" or "googlenet"
    std::uint32_t batch = 1;

    auto operator<=>(const NvdlaModel&) const = default;
};

/// The layers are those of the sheet (nvdla_networks.h), with the shapes that it counts: a 1 x 1
/// layer with a stride reads all channels of the pixels that it steps over. Pools and sums that it
/// counts as free are operations here. Throws InputError for an unknown name.
Network nvdlaModelNetwork(const NvdlaModel& model);

}  // namespace vnpu::sim
