// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "sim/ndk/compute/compilation.h"

namespace vnpu::sim::ndk {

/// A series of executions of one compilation. One execution at a time; any thread.
class Burst {
  public:
    explicit Burst(std::shared_ptr<const Compilation> compilation)
        : compilation_(std::move(compilation)) {
        for (const Step& step : compilation_->steps()) {
            links_.push_back(step.prepared->beginBurst());
        }
    }

    const Compilation* compilation() const { return compilation_.get(); }
    const std::vector<std::shared_ptr<BurstLink>>& links() const { return links_; }

    /// False if an execution has the burst.
    bool take() { return !isTaken_.exchange(true); }
    void giveBack() { isTaken_ = false; }

  private:
    const std::shared_ptr<const Compilation> compilation_;
    std::vector<std::shared_ptr<BurstLink>> links_;  // by step; null: the device has no bursts
    std::atomic<bool> isTaken_{false};
};

}  // namespace vnpu::sim::ndk
