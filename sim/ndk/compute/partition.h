// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/ndk/model/finished_model.h"

namespace vnpu::sim::ndk {

/// A part of a model for one device.
struct ModelPart {
    std::size_t device = 0;
    std::shared_ptr<const FinishedModel> model;
    // By input and output of `model`, the operand of the whole model's main graph.
    std::vector<std::uint32_t> inputs;
    std::vector<std::uint32_t> outputs;
};

/// Divides a model by the device of each operation of its main graph. The parts are in an order of
/// execution, and as few as following one device as far as possible at a time gives. A model for
/// one device stays whole.
std::vector<ModelPart> partition(const std::shared_ptr<const FinishedModel>& model,
                                 const std::vector<std::size_t>& deviceOf);

}  // namespace vnpu::sim::ndk
