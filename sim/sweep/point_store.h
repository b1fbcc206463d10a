// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// Answers of earlier runs, a file each, by content hash. Written whole or not at all, so that a
/// sweep can be broken off at any time.
class PointStore {
  public:
    /// Makes the folder; throws InputError where that can't be.
    explicit PointStore(std::filesystem::path folder);

    /// Empty where there is none, or it is damaged.
    std::optional<WorkerAnswer> find(const std::string& hash) const;
    /// Throws std::runtime_error if it can't be written.
    void put(const std::string& hash, const WorkerAnswer& answer) const;

  private:
    std::filesystem::path folder_;
};

}  // namespace vnpu::sim
