// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/refusal_ledger.h"

#include <algorithm>
#include <utility>

namespace vnpu::driver {

void RefusalLedger::add(const void* model, Time deadline, std::vector<std::uint64_t> jobsBefore,
                        Time now) {
    if (entries_.size() == kMaxEntries) {
        entries_.pop_front();
    }
    entries_.push_back({model, deadline, std::move(jobsBefore), now});
}

void RefusalLedger::onEnd(std::uint64_t job, Time now) {
    for (Entry& entry : entries_) {
        const auto found = std::find(entry.jobsBefore.begin(), entry.jobsBefore.end(), job);
        if (found != entry.jobsBefore.end()) {
            entry.jobsBefore.erase(found);
            entry.begin = now;
        }
    }
}

std::uint64_t RefusalLedger::judge(const void* model, Time took) {
    std::uint64_t wrong = 0;
    const auto isJudged = [&](const Entry& entry) {
        if (entry.model != model || !entry.jobsBefore.empty()) {
            return false;
        }
        wrong += entry.begin + took <= entry.deadline ? 1 : 0;
        return true;
    };
    std::erase_if(entries_, isJudged);
    return wrong;
}

}  // namespace vnpu::driver
