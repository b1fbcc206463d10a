// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/base/process_pool.h"
#include "sim/sweep/sweep_job.h"

namespace vnpu::sim {

/// How a task runs its points.
struct ChunkSettings {
    std::string program;                              // programHash() of the program that submits
    std::filesystem::path store;                      // folder of the PointStore, absolute
    unsigned jobs = 1;                                // processes at the same time
    std::optional<std::chrono::nanoseconds> limit{};  // of a point on the wall clock
};

/// The points of a task of a job array, as lines of JSON: the settings, then the jobs.
void writeChunk(const std::filesystem::path& file, const ChunkSettings& settings,
                std::span<const SweepJob> jobs);

/// The file, beside that of the chunk, with the reason for a point that failed. A later attempt
/// has another folder.
std::filesystem::path failureFile(const std::filesystem::path& folder, const std::string& hash);

/// Runs the points of a chunk that are not stored and writes the reasons of those that fail. A
/// second process with the same chunk waits until the first one has ended. Returns kFailed if a
/// point failed. Throws InputError for a file that is not a chunk or that another version of
/// `program` wrote.
ExitCode runChunk(const std::filesystem::path& file, const std::string& program = kOwnProgram);

}  // namespace vnpu::sim
