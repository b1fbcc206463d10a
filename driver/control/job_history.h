// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

#include "driver/api/activity.h"
#include "driver/control/latest.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// The jobs that wait or run, and the latest ones that ended. Any thread.
class JobHistory {
  public:
    /// Names a job within this history; jobs get their ids later.
    using Key = std::uint64_t;

    Key begin(const JobActivity& job) {
        const MutexLock guard(mutex_);
        current_[++lastKey_] = job;
        return lastKey_;
    }

    void submitted(Key key, std::uint64_t id, std::chrono::nanoseconds now) {
        const MutexLock guard(mutex_);
        JobActivity& job = current_.at(key);
        job.id = id;
        job.submitted = now;
    }

    /// `end` fills in how the job ended.
    template <typename End>
    void end(Key key, const End& end) {
        const MutexLock guard(mutex_);
        const auto found = current_.find(key);
        end(found->second);
        ended_.add(std::move(found->second));
        current_.erase(found);
    }

    void addTo(DriverActivity& activity) const {
        const MutexLock guard(mutex_);
        for (const auto& [key, job] : current_) {
            activity.current.push_back(job);
        }
        activity.ended = ended_.values();
    }

  private:
    mutable Mutex mutex_ VNPU_LOCK_RANK(90);
    std::map<Key, JobActivity> current_ VNPU_GUARDED_BY(mutex_);
    Latest<JobActivity> ended_ VNPU_GUARDED_BY(mutex_);
    Key lastKey_ VNPU_GUARDED_BY(mutex_) = 0;
};

}  // namespace vnpu::driver
