// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/client/model_runner.h"
#include "sim/tflite_delegate/delegate_device.h"
#include "sim/tflite_delegate/subset_import.h"

namespace vnpu::sim::tflite_delegate {

/// A subset that the device has prepared, with the pools for its inputs and outputs. One thread at
/// a time.
class CompiledSubset {
  public:
    /// Compiles, or takes the compilation from the cache. Throws std::runtime_error with the
    /// driver's reason.
    CompiledSubset(std::shared_ptr<DelegateDevice> device, ImportedSubset subset,
                   const Options& options);

    const ImportedSubset& subset() const { return subset_; }
    /// Whether the tensors have the shapes for which it was compiled.
    bool fits(const abi::TfLiteContext& context) const;
    /// The same for the present shapes. Throws as the constructor and importAgain().
    std::unique_ptr<CompiledSubset> again(const abi::TfLiteContext& context,
                                          const Options& options) const;

    /// Copies the inputs and variables from the interpreter's tensors, executes, and copies the
    /// outputs and variables back. Throws std::runtime_error.
    void execute(abi::TfLiteContext& context, const Options& options);

  private:
    void copyIn(const abi::TfLiteContext& context);
    void copyOut(abi::TfLiteContext& context);

    std::shared_ptr<DelegateDevice> device_;
    ImportedSubset subset_;
    std::unique_ptr<ModelRunner> runner_;
};

/// Gives output tensors the shapes of the subset's outputs where they have others. Throws
/// std::runtime_error where the interpreter refuses.
void resizeOutputs(abi::TfLiteContext& context, const ImportedSubset& subset);

}  // namespace vnpu::sim::tflite_delegate
