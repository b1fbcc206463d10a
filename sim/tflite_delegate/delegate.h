// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/tflite_delegate/delegate_log.h"
#include "sim/tflite_delegate/node_choice.h"

namespace vnpu::sim::tflite_delegate {

/// What stands behind a TfLiteDelegate. Interpreters on several threads may share it.
class Delegate {
  public:
    /// `kernel` has the functions of the kernels (kernel.h). Throws InputError for wrong options,
    /// std::runtime_error where there is no device.
    static std::unique_ptr<Delegate> create(const Options& options,
                                            const abi::TfLiteRegistration& kernel);

    /// The structure for the interpreter, which lives as long as this object.
    abi::TfLiteDelegate* handle() { return &handle_; }
    /// The object behind such a structure.
    static Delegate& of(abi::TfLiteDelegate& handle) {
        return *static_cast<Delegate*>(handle.data_);
    }

    const Options& options() const { return options_; }
    DelegateLog& log() { return log_; }

    /// Replaces the nodes that the device executes by kernels.
    void prepare(abi::TfLiteContext& context);

    /// The compiled subset for a kernel's nodes; compiled now where prepare() did not.
    std::unique_ptr<CompiledSubset> takeSubset(abi::TfLiteContext& context,
                                               const abi::TfLiteDelegateParams& params);

  private:
    Delegate(const Options& options, std::shared_ptr<DelegateDevice> device,
             const abi::TfLiteRegistration& kernel);

    const Options options_;
    const std::shared_ptr<DelegateDevice> device_;
    const abi::TfLiteRegistration kernel_;
    DelegateLog log_;
    abi::TfLiteDelegate handle_{};
    std::mutex mutex_;  // guards ready_
    std::map<const abi::TfLiteContext*, CompiledSubsets> ready_;
};

}  // namespace vnpu::sim::tflite_delegate
