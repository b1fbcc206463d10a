// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "sim/models/operand_types.h"
#include "sim/ndk_client/ndk_library.h"
#include "sim/ndk_client/ndk_memory.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

/// Models of the C interface with the objects that they refer to.
class NdkModel {
  public:
    /// Builds and finishes the models of `model`: values in the model itself by setOperandValue,
    /// values in pools by setOperandValueFromMemory, or by setOperandValue with a pointer into the
    /// pool if `usesPointers`. Refers to the values of `model`, which must exist as long. A model
    /// whose subgraphs refer to each other in a cycle is BAD_DATA.
    static tl::expected<std::unique_ptr<NdkModel>, NdkFailure> build(const NdkFunctions& ndk,
                                                                     const nn::Model& model,
                                                                     bool usesPointers);

    ~NdkModel();
    NdkModel(const NdkModel&) = delete;
    NdkModel& operator=(const NdkModel&) = delete;

    /// The main model.
    ANeuralNetworksModel* get() const { return main_; }

  private:
    struct Builder;

    NdkModel() = default;

    std::vector<NdkHandle<ANeuralNetworksMemory>> pools_;
    std::vector<hal::MappedPool> mapped_;
    std::vector<NdkHandle<ANeuralNetworksModel>> models_;
    ANeuralNetworksModel* main_ = nullptr;  // of models_
};

}  // namespace vnpu::sim
