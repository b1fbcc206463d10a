// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace vnpu::test {

/// Programs `sbatch` and `squeue` on PATH that run the tasks of an array one after the other on
/// this machine. Files in the folder change what they do:
///
/// - `hold`: tasks wait while it exists;
/// - `lose`: the next task ends without running its command, and the file is removed;
/// - `refuse`: sbatch writes its contents to the standard error and fails;
/// - `silent`: squeue fails.
class FakeSlurm {
  public:
    FakeSlurm();
    /// Waits until no task is left.
    ~FakeSlurm();
    FakeSlurm(const FakeSlurm&) = delete;
    FakeSlurm& operator=(const FakeSlurm&) = delete;

    void set(const std::string& file, const std::string& text = "") const;
    void clear(const std::string& file) const;
    bool has(const std::string& file) const;

    /// The words of each call of sbatch.
    std::vector<std::vector<std::string>> submissions() const;
    /// The tasks of all submissions together.
    std::size_t taskCount() const;
    /// Returns once no task is left.
    void waitForTasks() const;

  private:
    TemporaryFolder folder_;
    std::string path_;  // PATH before
};

/// Returns once `isTrue` does; fails the case after two minutes.
void waitUntil(const std::function<bool()>& isTrue);

}  // namespace vnpu::test
