// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/figure_meanings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vnpu::sim {

namespace {

/// A name that ends with "*" covers all names with that beginning; the first match counts.
constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
        {"ntt",
         "turnaround (arrival to answer) over the time alone on the device, mean; 1 is "
         "undisturbed"},
        {"antt", "mean of the clients' ntt; 1 is undisturbed"},
        {"stp", "sum of the clients' 1 / ntt: devices' worth of throughput"},
        {"fairness",
         "smallest progress (1 / ntt) over the largest, each relative to its priority's share (1, "
         "3, 9); 1 follows the shares"},
        {"span_ms", "ms from the common start to the last answer"},
        {"executions", "executed frames"},
        {"done", "executions with a result"},
        {"failed", "executions without a result, for another reason than a deadline"},
        {"unserved", "frames that arrived and waited until the end"},
        {"rate_hz", "answers per second"},
        {"mean_ms", "ms from arrival to answer, mean"},
        {"p50_ms", "ms from arrival to answer, median"},
        {"p95_ms", "ms from arrival to answer, 95th percentile"},
        {"p99_ms", "ms from arrival to answer, 99th percentile"},
        {"max_ms", "ms from arrival to answer, longest"},
        {"sla_mean", "mean of sla_2 to sla_20"},
        {"sla_*", "share of executions without a result within so many times the time alone"},
        {"missed", "share of deadlines that were missed: refused, aborted or late"},
        {"refused", "executions refused because of their deadline"},
        {"aborted", "executions stopped at their deadline"},
        {"late", "executions answered after their deadline"},
        {"wrong_refusals", "share of the refused executions that would have met their deadline"},
        {"wrong_admissions", "share of the admitted executions that were aborted or late"},
        {"device_share", "device time of the jobs over that of all jobs"},
        {"preempt_p50_us",
         "us from the decision to preempt until the job is off the device, median"},
        {"preempt_p99_us",
         "us from the decision to preempt until the job is off the device, 99th percentile"},
        {"preempt_max_us",
         "us from the decision to preempt until the job is off the device, longest"},
        {"preemptions", "times that a running job was saved"},
        {"restarts", "times that a running job was stopped and began again"},
        {"saved_bytes", "bytes saved by preemptions"},
        {"reloaded_bytes", "bytes loaded again after preemptions, in place of saved ones"},
        {"switch_cycles", "device cycles of saving and restoring"},
        {"wasted_cycles", "device cycles of work that was done again after restarts"},
        {"wakes", "times that the device woke from sleep, since power-on"},
        {"clock_switches", "changes of the clock, since power-on"},
        {"suspended_ms", "ms that the device slept, since power-on"},
};

}  // namespace

std::string_view figureMeaning(std::string_view name) {
    const std::string_view base = name.substr(0, name.find_first_of(".[@"));
    const auto fits = [&](const auto& entry) {
        const std::string_view known = entry.first;
        return known.ends_with('*') ? base.starts_with(known.substr(0, known.size() - 1))
                                    : base == known;
    };
    const auto* const found = std::find_if(std::begin(kMeanings), std::end(kMeanings), fits);
    return found == std::end(kMeanings) ? std::string_view() : found->second;
}

}  // namespace vnpu::sim
