// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

#include "driver/api/activity.h"
#include "driver/control/latest.h"
#include "driver/port/device_port.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// The jobs that wait or run, and the latest ones that ended. Any thread.
class JobHistory {
  public:
    /// A job from its wait for the device to its end; it ends with this object. One thread.
    class Entry {
      public:
        Entry(JobHistory& history, DevicePort& port, const JobActivity& job)
            : history_(history), port_(port), key_(history.add(job)) {}
        ~Entry() {
            const std::chrono::nanoseconds now = port_.now();
            history_.change(key_, [&](JobActivity& job) { job.ended = now; });
            history_.retire(key_);
        }
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

        void submitted(std::uint64_t id) {
            const std::chrono::nanoseconds now = port_.now();
            history_.change(key_, [&](JobActivity& job) {
                job.id = id;
                job.submitted = now;
            });
        }
        /// How the job ends; GENERAL_FAILURE until then.
        void setOutcome(ErrorStatus status, std::chrono::nanoseconds onDevice = {},
                        std::uint32_t preemptions = 0) {
            history_.change(key_, [&](JobActivity& job) {
                job.status = status;
                job.onDevice = onDevice;
                job.preemptions = preemptions;
            });
        }

        /// Notes why the job ends, and passes the error on.
        tl::unexpected<Error> failed(tl::unexpected<Error> error) {
            setOutcome(error.value().status);
            return error;
        }

      private:
        JobHistory& history_;
        DevicePort& port_;
        const std::uint64_t key_;
    };

    void addTo(DriverActivity& activity) const {
        const MutexLock guard(mutex_);
        for (const auto& [key, job] : current_) {
            activity.current.push_back(job);
        }
        activity.ended = ended_.values();
    }

  private:
    std::uint64_t add(JobActivity job) {
        job.status = ErrorStatus::GENERAL_FAILURE;
        const MutexLock guard(mutex_);
        current_[++lastKey_] = job;
        return lastKey_;
    }

    template <typename Change>
    void change(std::uint64_t key, const Change& change) {
        const MutexLock guard(mutex_);
        change(current_.at(key));
    }

    void retire(std::uint64_t key) {
        const MutexLock guard(mutex_);
        const auto found = current_.find(key);
        ended_.add(found->second);
        current_.erase(found);
    }

    mutable Mutex mutex_ VNPU_LOCK_RANK(90);
    std::map<std::uint64_t, JobActivity> current_ VNPU_GUARDED_BY(mutex_);
    Latest<JobActivity> ended_ VNPU_GUARDED_BY(mutex_);
    std::uint64_t lastKey_ VNPU_GUARDED_BY(mutex_) = 0;
};

}  // namespace vnpu::driver
