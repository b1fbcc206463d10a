// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/models/network.h"
#include "sim/validate/device_time.h"
#include "sim/validate/layer_parameters.h"
#include "sim/validate/nvdla/nvdla_sheet.h"

namespace vnpu::sim {

/// Cycles of the array for one frame of a layer, by the closed form of a broadcast array. Unlike
/// the sheet, it includes the granularity of the array: `channels` by `kernels`, and Winograd's
/// tiles of 2 x 2.
double nvdlaArrayCycles(const LayerParameters& layer, const NvdlaArray& array);

/// The work of `frames` frames of a network on the array of a column; the traffic is that of the
/// network with a batch of as many.
WorkFigures nvdlaWorkFigures(const Network& network, const NvdlaPoint& point, double frames);

/// Bytes of memory that the sheet counts for a frame of some layers.
double nvdlaSheetBytes(const std::vector<NvdlaLayer>& layers, const NvdlaPoint& point);

/// The sheet's time for a frame, at a published rate per second.
ReferenceTime nvdlaReferenceTime(const NvdlaNetwork& network, const NvdlaPoint& point,
                                 double framesPerSecond);

}  // namespace vnpu::sim
