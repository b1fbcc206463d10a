// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// Answers of earlier runs, one file each, by content hash. A file is written completely or not at
/// all, so that a sweep can be interrupted at any time.
class PointStore {
  public:
    /// Creates the folder; throws InputError if that fails.
    explicit PointStore(std::filesystem::path folder);

    /// The stored answer; empty if there is none or it is damaged.
    std::optional<WorkerAnswer> find(const std::string& hash) const;
    /// Stores an answer; throws std::runtime_error if it cannot be written.
    void put(const std::string& hash, const WorkerAnswer& answer) const;

  private:
    std::filesystem::path folder_;
};

}  // namespace vnpu::sim
