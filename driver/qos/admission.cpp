// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vnpu::driver {

using std::chrono::nanoseconds;

namespace {

// Shortest pause between two forecasts for a job, and forecasts until its expected end. chosen:
// each forecast costs the host a wake-up
constexpr nanoseconds kShortestPause{20'000};
constexpr int kLooks = 8;

}  // namespace

DeviceForecast::Job AdmissionControl::jobOf(const Request& request) const {
    const MutexLock guard(mutex_);
    DeviceForecast::Job job = request.job;
    job.overhead = overhead_.value_or(nanoseconds(0)) + request.ready;
    return job;
}

Result<std::unique_ptr<Admission>> AdmissionControl::admit(const Request& request) {
    const nanoseconds now = environment_.port.now();
    if (request.job.deadline && request.job.service > nanoseconds(0)) {
        const DeviceForecast::Job job = jobOf(request);
        const nanoseconds alone = now + job.service + job.overhead - request.ready;
        const nanoseconds end = forecast_.finishIf(job, now);
        if (std::max(end, alone) > *request.job.deadline) {
            const auto& insists = environment_.options.experiments.insists;
            if (insists && insists(request.callId)) {
                return std::make_unique<Admission>(*this, request, false);
            }
            // Time that the driver itself has let pass may not pass the next time.
            const bool isPersistent = alone - (now - request.begin) > *request.job.deadline;
            auto before = isPersistent ? std::vector<std::uint64_t>{} : forecast_.aheadOf(job, now);
            ++(isPersistent ? environment_.counters.deadlinesRefusedPersistent
                            : environment_.counters.deadlinesRefusedTransient);
            {
                const MutexLock guard(mutex_);
                refusals_.add(request.model, *request.job.deadline, std::move(before), now);
            }
            return fail(isPersistent ? ErrorStatus::MISSED_DEADLINE_PERSISTENT
                                     : ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                        fmt::format("would end {} ns of device time after now, {} ns on an idle "
                                    "device; the deadline is in {} ns",
                                    (end - now).count(), (alone - now).count(),
                                    (*request.job.deadline - now).count()));
        }
    }
    return std::make_unique<Admission>(*this, request);
}

void AdmissionControl::end(const Admission& admission) {
    const nanoseconds now = environment_.port.now();
    const bool wasAlone = forecast_.remove(admission.id_, now);
    const MutexLock guard(mutex_);
    refusals_.onEnd(admission.id_, now);
    if (!admission.onDevice_) {
        return;
    }
    if (wasAlone) {
        const nanoseconds seen =
                std::max(now - admission.begin_ - *admission.onDevice_ - admission.request_.ready,
                         nanoseconds(0));
        overhead_ = overhead_ ? (*overhead_ + seen) / 2 : seen;
    }
    environment_.counters.refusalsThatFit += refusals_.judge(
            admission.request_.model, *admission.onDevice_ + overhead_.value_or(nanoseconds(0)));
    if (admission.request_.job.deadline) {
        ++(now <= *admission.request_.job.deadline ? environment_.counters.deadlinesMet
                                                   : environment_.counters.deadlinesLate);
    }
}

Admission::Admission(AdmissionControl& control, const AdmissionControl::Request& request,
                     bool mayBeStopped)
    : control_(control),
      request_(request),
      begin_(control.environment_.port.now()),
      id_(control.forecast_.add(control.jobOf(request), begin_)),
      mayBeStopped_(mayBeStopped) {}

Admission::~Admission() {
    control_.end(*this);
}

WaitBudget Admission::waitBudget() {
    return request_.job.deadline && mayBeStopped_ ? WaitBudget([this] { return timeToNextLook(); })
                                                  : WaitBudget();
}

std::optional<nanoseconds> Admission::timeToNextLook() {
    const nanoseconds now = control_.environment_.port.now();
    const nanoseconds end = control_.forecast_.finishOf(id_, now);
    if (now >= *request_.job.deadline || end > *request_.job.deadline) {
        if (!isGivenUp_) {
            isGivenUp_ = true;
            ++control_.environment_.counters.deadlinesAborted;
        }
        return std::nullopt;
    }
    const nanoseconds most = *request_.job.deadline - now;
    return std::min(most,
                    std::max({*request_.job.deadline - end, (end - now) / kLooks, kShortestPause}));
}

tl::unexpected<Error> Admission::missed() const {
    // The service time alone would have been too long on an idle device.
    const bool isPersistent = request_.begin + request_.job.service > *request_.job.deadline;
    return fail(isPersistent ? ErrorStatus::MISSED_DEADLINE_PERSISTENT
                             : ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                fmt::format("stopped after {} ns of device time: it would miss its deadline",
                            (control_.environment_.port.now() - begin_).count()));
}

}  // namespace vnpu::driver
