// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// Writes a file under a name of this process and then renames it, so that readers on all machines
/// see the complete contents or none, even if several processes write the same file. Throws
/// std::runtime_error if that fails.
void writeWhole(const std::filesystem::path& path, std::string_view text);

/// Answers of earlier runs, one file each, by content hash: FOLDER/ab/abcd....json, so that no
/// folder of a large sweep has too many files for a network file system. Several processes on
/// several machines may use one folder, and be killed at any time.
class PointStore {
  public:
    /// Creates the folder; throws InputError if that fails.
    explicit PointStore(std::filesystem::path folder);

    const std::filesystem::path& folder() const { return folder_; }

    /// The stored answer; empty if there is none or it is damaged.
    std::optional<WorkerAnswer> find(const std::string& hash) const;
    /// Stores an answer; throws std::runtime_error if it cannot be written.
    void put(const std::string& hash, const WorkerAnswer& answer) const;
    /// Why the run last failed; empty if it did not or its answer is stored.
    std::optional<std::string> findFailure(const std::string& hash) const;
    /// Stores why a run failed, which does not count as its answer: the next sweep tries it again.
    /// Throws std::runtime_error if it cannot be written.
    void putFailure(const std::string& hash, const std::string& error) const;
    /// The hashes of all stored answers, damaged ones included, and failures not. Lists folders and
    /// opens no file.
    std::set<std::string> list() const;

  private:
    std::filesystem::path pathOf(const std::string& hash, const char* extension) const;

    std::filesystem::path folder_;
};

}  // namespace vnpu::sim
