// SPDX-License-Identifier: Apache-2.0
#include "driver/control/job_tracker.h"

#include <fmt/format.h>

#include <utility>

namespace vnpu::driver {

std::shared_ptr<PendingJob> JobTracker::add() {
    auto job = std::make_shared<PendingJob>();
    job->done = port_.createEvent();
    const MutexLock guard(mutex_);
    job->id = ++lastId_;
    jobs_.emplace(job->id, job);
    return job;
}

bool JobTracker::end(std::uint64_t id, Result<fw::CompletionRecord> outcome) {
    Jobs::node_type ended;
    {
        const MutexLock guard(mutex_);
        ended = jobs_.extract(id);
    }
    if (ended.empty()) {
        return false;
    }
    ended.mapped()->outcome = std::move(outcome);
    ++counters_.jobsCompleted;  // before the waiter can look
    ended.mapped()->done->set();
    return true;
}

bool JobTracker::isPending(std::uint64_t id) const {
    const MutexLock guard(mutex_);
    return jobs_.contains(id);
}

void JobTracker::drop(std::uint64_t id) {
    const MutexLock guard(mutex_);
    jobs_.erase(id);
}

void JobTracker::endAll() {
    Jobs ended;
    {
        const MutexLock guard(mutex_);
        ended.swap(jobs_);
    }
    for (const auto& [id, job] : ended) {
        job->outcome = fail(ErrorStatus::DEVICE_UNAVAILABLE,
                            fmt::format("the device broke down during job {}", id));
        job->done->set();
    }
}

std::size_t JobTracker::inFlight() const {
    const MutexLock guard(mutex_);
    return jobs_.size();
}

}  // namespace vnpu::driver
