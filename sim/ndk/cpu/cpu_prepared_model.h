// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/ndk/cpu/interpreter.h"
#include "sim/ndk/device/device.h"

namespace vnpu::sim::ndk {

/// A model on the CPU. Any thread, several calls at once.
class CpuPreparedModel : public PreparedModel {
  public:
    explicit CpuPreparedModel(std::shared_ptr<const FinishedModel> model);

    CallOutcome compute(const Call& call) override;

  private:
    Result<CallOutcome> tryCompute(const Call& call) const;
    Result<std::vector<TensorValue>> inputsOf(const Call& call) const;

    const std::shared_ptr<const FinishedModel> model_;
    const Result<Constants> constants_;
};

}  // namespace vnpu::sim::ndk
