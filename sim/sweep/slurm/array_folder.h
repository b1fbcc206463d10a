// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/slurm/sweep_chunk.h"

namespace vnpu::sim {

/// The folder of a job array: a chunk and a log for each task, the reasons of points that failed,
/// and a list of the points. Its name is that of the job, so that a later run of the same sweep
/// finds the tasks of an earlier one, however that ended.
class ArrayFolder {
  public:
    /// Writes a new folder in which each task has `chunk` of the jobs.
    static ArrayFolder create(const std::filesystem::path& path, const ChunkSettings& settings,
                              std::span<const SweepJob> jobs, std::size_t chunk);
    /// The arrays with a list in `folder`, sorted by name; damaged lines of a list are left out.
    static std::vector<ArrayFolder> findIn(const std::filesystem::path& folder);

    std::string name() const { return path_.filename().string(); }
    const std::filesystem::path& path() const { return path_; }
    /// The hashes of each task's points.
    const std::vector<std::vector<std::string>>& tasks() const { return tasks_; }
    /// The common part of the logs' paths: PATH_0.txt is that of task 0.
    std::filesystem::path log() const { return path_ / "log"; }
    std::filesystem::path chunkFile(const std::string& index) const;

    /// Notes that Slurm has taken the array, as the job `number`.
    void setSubmitted(const std::string& number) const;
    /// Whether Slurm has certainly taken it. False after a kill between submission and note.
    bool isSubmitted() const;

    /// Why a point of a task that has ended is not stored: what the point reported, or else the end
    /// of the task's log.
    std::string failureOf(std::size_t task, const std::string& hash) const;

    /// Removes the folder, or only what findIn() and tasks need so that the logs remain.
    void remove(bool keepLogs) const;

  private:
    explicit ArrayFolder(std::filesystem::path path) : path_(std::move(path)) {}
    void readList();

    std::filesystem::path path_;
    std::vector<std::vector<std::string>> tasks_;
};

}  // namespace vnpu::sim
