// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/case_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "sim/base/duration.h"
#include "sim/ci/case_files.h"

namespace vnpu::sim {

namespace {

using std::chrono::steady_clock;

std::optional<std::chrono::nanoseconds> timeoutOf(const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    const std::optional<std::uint64_t> timeNs = parseDuration(text);
    if (!timeNs || *timeNs == 0) {
        throw InputError(fmt::format("--timeout is \"{}\", expected {}", text, kDurationForm));
    }
    return std::chrono::nanoseconds(*timeNs);
}

std::ofstream opened(const char* option, const std::string& path) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    if (!out) {
        throw InputError(fmt::format("{} {}: {}, expected a file that can be written", option, path,
                                     std::strerror(errno)));
    }
    return out;
}

void write(const char* option, const std::string& path, const std::string& text) {
    std::ofstream out = opened(option, path);
    out << text;
    out.close();
    if (!out) {
        throw InputError(fmt::format("{} {}: {}", option, path, std::strerror(errno)));
    }
}

/// What the file says if the program ends before it can write the cases.
std::string unfinishedJunit(const std::string& command) {
    const std::string why = "the program ended before its cases were written";
    return junitXml(command, {{.outcome = {.name = {.name = "end of the run"},
                                           .result = CaseResult::kFailed,
                                           .message = why},
                               .verdict = CaseVerdict::kFailed,
                               .runs = 1,
                               .failures = 1,
                               .explanation = why}});
}

CaseVerdict verdictOf(const JudgedCase& judged, bool isFailureExpected) {
    if (judged.outcome.result == CaseResult::kSkipped) {
        return CaseVerdict::kSkipped;
    }
    if (!isFailureExpected) {
        return judged.failures == 0 ? CaseVerdict::kPassed : CaseVerdict::kFailed;
    }
    return judged.failures == judged.runs ? CaseVerdict::kExpectedFailure
                                          : CaseVerdict::kUnexpectedPass;
}

}  // namespace

CaseSession::CaseSession(std::string command, const CaseOptions& options)
    : command_(std::move(command)),
      options_(options),
      filter_(options.filter, "--filter"),
      shard_(shardOf(options.shard)),
      timeout_(timeoutOf(options.timeout)) {
    if (!options_.expectFail.empty()) {
        expected_ = ExpectedFailures::load(options_.expectFail);
    }
    if (!options_.jsonLines.empty()) {
        lines_ = opened("--json-lines", options_.jsonLines);
    }
    if (!options_.junit.empty()) {
        write("--junit", options_.junit, unfinishedJunit(command_));
    }
    if (timeout_) {
        watch_ = std::make_unique<CaseWatch>(*timeout_, [this] { onLate(); });
    }
}

CaseSession::~CaseSession() = default;

bool CaseSession::selects(const CaseName& name) {
    const std::lock_guard guard(mutex_);
    const auto known = selected_.find(name);
    if (known != selected_.end()) {
        return known->second;
    }
    if (selected_.empty()) {
        example_ = name;
    }
    expected_.placeOf(name);  // a pattern is in use even if its case is left out
    const bool isFitting = fits(filter_, name);
    const bool isSelected = isFitting && shard_.holds(fitting_);
    fitting_ += isFitting ? 1 : 0;
    selected_[name] = isSelected;
    return isSelected;
}

bool CaseSession::isStopped() const {
    const std::lock_guard guard(mutex_);
    return options_.isFailFast && hasBad_;
}

void CaseSession::begin(const CaseName& name) {
    {
        const std::lock_guard guard(mutex_);
        current_ = name;
        begin_ = steady_clock::now();
    }
    if (watch_ != nullptr) {
        watch_->begin();
    }
}

void CaseSession::end(CaseOutcome outcome) {
    if (watch_ != nullptr) {
        watch_->end();
    }
    const std::lock_guard guard(mutex_);
    outcome.name = current_.value_or(outcome.name);
    outcome.time = steady_clock::now() - begin_;
    current_.reset();
    take(outcome);
}

void CaseSession::add(const CaseOutcome& outcome) {
    const std::lock_guard guard(mutex_);
    take(outcome);
}

/// With the mutex held.
void CaseSession::take(const CaseOutcome& outcome) {
    const auto [place, isNew] = places_.try_emplace(outcome.name, records_.size());
    if (isNew) {
        records_.push_back({{.outcome = outcome}, expected_.placeOf(outcome.name)});
        records_.back().judged.outcome.time = {};
    }
    Record& record = records_[place->second];
    JudgedCase& judged = record.judged;
    const auto time = judged.outcome.time + outcome.time;
    if (judged.failures == 0) {
        judged.outcome = outcome;
    }
    judged.outcome.time = time;
    ++judged.runs;
    judged.failures += outcome.result == CaseResult::kFailed ? 1 : 0;
    judge(record);
    hasBad_ = hasBad_ || isBad(judged.verdict);
    if (lines_.is_open()) {
        lines_ << jsonLine(outcome, verdictOf({.outcome = outcome,
                                               .runs = 1,
                                               .failures = outcome.result == CaseResult::kFailed},
                                              !record.place.empty()));
        lines_.flush();
    }
}

void CaseSession::judge(Record& record) const {
    JudgedCase& judged = record.judged;
    judged.verdict = verdictOf(judged, !record.place.empty());
    const std::string counts =
            judged.runs == 1 ? ""
                             : fmt::format("{} of {} runs failed; ", judged.failures, judged.runs);
    switch (judged.verdict) {
        case CaseVerdict::kPassed:
            judged.explanation.clear();
            break;
        case CaseVerdict::kSkipped:
            judged.explanation = judged.outcome.message;
            break;
        case CaseVerdict::kFailed:
            judged.explanation = counts + judged.outcome.message;
            break;
        case CaseVerdict::kExpectedFailure:
            judged.explanation =
                    fmt::format("as {} expects: {}", record.place, judged.outcome.message);
            break;
        case CaseVerdict::kUnexpectedPass:
            judged.explanation =
                    fmt::format("{}passed, but {} expects a failure", counts, record.place);
            break;
    }
}

ExitCode CaseSession::run(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::exception& error) {
        abort(error.what());
        throw;
    }
    return finish();
}

void CaseSession::abort(const std::string& error) {
    if (watch_ != nullptr) {
        watch_->end();
    }
    const std::lock_guard guard(mutex_);
    take({.name = current_.value_or(CaseName{.name = "end of the run"}),
          .result = CaseResult::kFailed,
          .message = error});
    current_.reset();
    writeFiles();
}

/// On the thread of the watch. The case holds no lock of this session, and never ends.
void CaseSession::onLate() {
    const std::lock_guard guard(mutex_);
    if (!current_) {
        return;  // it ended at the last moment
    }
    const std::string message = fmt::format("did not end within {}", options_.timeout);
    take({.name = *current_,
          .result = CaseResult::kFailed,
          .message = message,
          .time = steady_clock::now() - begin_});
    fmt::print(stderr, "vnpu: {}: {}; the cases after it were not run\n", current_->text(),
               message);
    writeFiles();
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(ExitCode::kFailed));
}

/// With the mutex held.
void CaseSession::writeFiles() {
    if (!options_.junit.empty()) {
        std::vector<JudgedCase> list;
        for (const Record& record : records_) {
            list.push_back(record.judged);
        }
        write("--junit", options_.junit, junitXml(command_, list));
    }
    if (lines_.is_open() && !lines_.flush()) {
        throw InputError(fmt::format("--json-lines {}: can't be written", options_.jsonLines));
    }
}

void CaseSession::checkSelection() const {
    const std::lock_guard guard(mutex_);
    checkFitting();
}

/// With the mutex held.
void CaseSession::checkFitting() const {
    if (!selected_.empty() && fitting_ == 0) {
        throw InputError(fmt::format("--filter {}: fits none of {} cases, the first of which is {}",
                                     options_.filter, selected_.size(), example_.text()));
    }
}

ExitCode CaseSession::finish() {
    const std::lock_guard guard(mutex_);
    checkFitting();
    writeFiles();
    return hasBad_ ? ExitCode::kFailed : ExitCode::kDone;
}

std::string CaseSession::shardLine() const {
    if (shard_.count == 1) {
        return "";
    }
    const auto count = std::count_if(selected_.begin(), selected_.end(),
                                     [](const auto& entry) { return entry.second; });
    return fmt::format("shard {} of {}: {} of {} cases\n", shard_.index + 1, shard_.count, count,
                       fitting_);
}

std::string CaseSession::notes() const {
    const std::lock_guard guard(mutex_);
    std::string text;
    std::size_t expected = 0, unexpected = 0;
    for (const Record& record : records_) {
        expected += record.judged.verdict == CaseVerdict::kExpectedFailure ? 1 : 0;
        if (record.judged.verdict == CaseVerdict::kUnexpectedPass) {
            ++unexpected;
            text += fmt::format("UNEXPECTED PASS {}: {}\n", record.judged.outcome.name.text(),
                                record.judged.explanation);
        }
    }
    for (const std::string& pattern : expected_.unused()) {
        text += fmt::format("{}: fits no case\n", pattern);
    }
    if (!options_.expectFail.empty()) {
        text += fmt::format("{} expected failures, {} unexpected passes\n", expected, unexpected);
    }
    if (options_.isFailFast && hasBad_) {
        text += "stopped after the first failure\n";
    }
    return text + shardLine();
}

std::vector<JudgedCase> CaseSession::cases() const {
    const std::lock_guard guard(mutex_);
    std::vector<JudgedCase> list;
    for (const Record& record : records_) {
        list.push_back(record.judged);
    }
    return list;
}

}  // namespace vnpu::sim
