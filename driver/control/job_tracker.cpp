// SPDX-License-Identifier: Apache-2.0
#include "driver/control/job_tracker.h"

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

std::shared_ptr<PendingJob> JobTracker::take(std::uint64_t id) {
    const MutexLock guard(mutex_);
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) {
        return nullptr;
    }
    std::shared_ptr<PendingJob> job = std::move(found->second);
    jobs_.erase(found);
    return job;
}

bool JobTracker::complete(const fw::CompletionRecord& record) {
    const std::shared_ptr<PendingJob> job = take(record.jobId);
    if (job == nullptr) {
        return false;
    }
    job->record = record;
    ++counters_.jobsCompleted;  // before the waiter can look
    job->done->set();
    return true;
}

bool JobTracker::fail(std::uint64_t id, Error error) {
    const std::shared_ptr<PendingJob> job = take(id);
    if (job == nullptr) {
        return false;
    }
    job->failure = std::move(error);
    ++counters_.jobsCompleted;  // before the waiter can look
    job->done->set();
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
    std::map<std::uint64_t, std::shared_ptr<PendingJob>> ended;
    {
        const MutexLock guard(mutex_);
        ended.swap(jobs_);
    }
    for (const auto& [id, job] : ended) {
        job->done->set();
    }
}

std::size_t JobTracker::inFlight() const {
    const MutexLock guard(mutex_);
    return jobs_.size();
}

}  // namespace vnpu::driver
