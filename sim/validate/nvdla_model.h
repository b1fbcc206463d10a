// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

#include "sim/models/network.h"

namespace vnpu::sim {

/// A part of a network of NVDLA's sheet as a model, int8, weights zero: the fully connected layers,
/// for kNvdlaDenseFrames frames (nvdla_networks.h), or all layers before them, for one frame.
struct NvdlaModel {
    std::string network;  // "resnet50", "alexnet" or "googlenet"
    bool isDense = false;

    auto operator<=>(const NvdlaModel&) const = default;
};

/// The layers are those of the sheet (nvdla_networks.h). One with a stride reads folded pixels, as
/// the sheet counts it, where that needs no channels of padding. Pools and sums that the sheet
/// counts as free are operations here. Throws InputError for an unknown name.
Network nvdlaModelNetwork(const NvdlaModel& model);

}  // namespace vnpu::sim
