// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/ci/case_session.h"
#include "sim/sweep/sweep_file.h"
#include "sim/sweep/sweep_job.h"
#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// A row with one seed and its result.
struct SweepPoint {
    std::size_t row = 0;  // in Sweep::rows
    std::uint64_t seed = 0;
    bool isDone = false;  // it ran or failed, now or in an earlier sweep
    WorkerAnswer answer{};
};

struct SweepProgress {
    bool isMeasuringAlone = false;  // isolated times, which come before the points
    std::size_t done = 0;
    std::size_t count = 0;   // processes to be run, without stored answers
    std::size_t failed = 0;  // of those that are done
};

struct SweepOptions {
    std::string folder;                       // for stored results, in its folder "points"
    CaseSession* cases = nullptr;             // which rows are run; null: all
    bool isMerging = false;                   // take what is stored, run nothing
    unsigned jobs = 1;                        // processes of this machine at the same time
    JobRunner* runner = nullptr;              // of the points; null: processes of this machine
    std::string program = kOwnProgram;        // `vnpu`
    const std::atomic<bool>* stop = nullptr;  // may be null
    std::function<void(const SweepProgress&)> onProgress{};  // may be empty; called at
                                                             // the begin, too
};

struct SweepOutcome {
    std::vector<SweepPoint> points;  // by row, then by seed; rows that the filter leaves out are
                                     // not among them
    std::size_t stored = 0;          // of them, from earlier sweeps
    bool isStopped = false;          // not all are done
};

/// Runs a sweep: first the isolated times, then the points, each in a process of its own. Stored
/// answers are not computed again. Points depend only on their content, not on the number of
/// processes. A merge takes stored failures, too, which are otherwise run again. Throws InputError
/// for a wrong configuration or filter.
SweepOutcome runSweep(const Sweep& sweep, const SweepOptions& options);

}  // namespace vnpu::sim
