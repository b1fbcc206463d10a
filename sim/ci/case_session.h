// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/name_filter.h"
#include "sim/ci/case_outcome.h"
#include "sim/ci/case_watch.h"
#include "sim/ci/expected_failures.h"
#include "sim/ci/shard.h"

namespace vnpu::sim {

/// The options of a command about its cases, as the user wrote them. Empty: not given.
struct CaseOptions {
    std::string filter{};      // --filter, see fits()
    std::string shard{};       // --shard, see shardOf()
    std::string expectFail{};  // --expect-fail, a file for ExpectedFailures
    std::string junit{};       // --junit, a file to write
    std::string jsonLines{};   // --json-lines, a file to write
    std::string timeout{};     // --timeout, a duration
    std::uint64_t repeat = 1;  // --repeat
    bool isFailFast = false;   // --fail-fast
};

/// The cases of one run of a command: which ones are run, how they ended, and the files that CI
/// systems read. A command asks selects() before each case, reports it with begin() and end() or
/// with add(), stops early if isStopped(), and ends with finish(). Any thread.
class CaseSession {
  public:
    /// `command` names the run in files. Throws InputError for wrong options.
    CaseSession(std::string command, const CaseOptions& options);
    ~CaseSession();
    CaseSession(const CaseSession&) = delete;
    CaseSession& operator=(const CaseSession&) = delete;

    /// Whether the case is to be run: it fits the filter and belongs to the shard. All shards must
    /// ask for the same cases in the same order. A case that was asked for before gets the same
    /// answer.
    bool selects(const CaseName& name);
    /// Throws InputError if the filter fits none of the cases that were asked for so far.
    void checkSelection() const;
    /// The part of the cases that is run.
    const Shard& shard() const { return shard_; }
    /// How often all cases are to be run.
    std::uint64_t repeats() const { return options_.repeat; }
    /// The longest time that a case may take; nothing: any.
    std::optional<std::chrono::nanoseconds> timeout() const { return timeout_; }
    /// Whether a case failed and the others are not to be run.
    bool isStopped() const;

    /// The case starts. A case that takes longer than the timeout ends the program with exit code
    /// 1 and complete files.
    void begin(const CaseName& name);
    /// The case that has begun has ended; `outcome` needs no name and no time.
    void end(CaseOutcome outcome);
    /// The same for a case that was measured elsewhere. A case that was added before was repeated.
    void add(const CaseOutcome& outcome);

    /// Runs the complete work of a command: the error of work that throws is the failure of the
    /// case that had begun, or of the run. Then finish().
    ExitCode run(const std::function<void()>& work);
    /// Writes the files; returns whether all cases ended as expected. Throws InputError if the
    /// filter fitted no case, or for a file that cannot be written.
    ExitCode finish();
    /// What the output of a command lacks: unexpected passes, expected failures, patterns that
    /// fitted no case, the shard. Empty where there is none.
    std::string notes() const;

    std::vector<JudgedCase> cases() const;

  private:
    struct Record {
        JudgedCase judged;
        std::string place;  // in the list of expected failures
    };

    void take(const CaseOutcome& outcome);
    void judge(Record& record) const;
    void abort(const std::string& error);
    void onLate();
    void writeFiles();
    void checkFitting() const;
    std::string shardLine() const;

    const std::string command_;
    const CaseOptions options_;
    const NameFilter filter_;
    const Shard shard_;
    std::optional<std::chrono::nanoseconds> timeout_;

    mutable std::mutex mutex_;  // guards what follows
    ExpectedFailures expected_;
    std::ofstream lines_;
    std::map<CaseName, bool> selected_;  // of all cases that were asked for
    std::size_t fitting_ = 0;            // of them, those that fit the filter
    CaseName example_{};                 // the first case that was asked for
    std::vector<Record> records_;
    std::map<CaseName, std::size_t> places_;  // in records_
    std::optional<CaseName> current_;
    std::chrono::steady_clock::time_point begin_{};
    bool hasBad_ = false;
    std::unique_ptr<CaseWatch> watch_;  // last: it calls back
};

}  // namespace vnpu::sim
