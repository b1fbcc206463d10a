// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/user_share.h"

#include <fmt/format.h>

namespace vnpu::driver {

Result<UserClaim> UserShare::claimMemory(std::uint64_t sizeBytes) {
    return claim(memoryBytes_, {sizeBytes, limits_.memoryBytes, "bytes of device memory"});
}

Result<UserClaim> UserShare::claimExecution() {
    return claim(executions_, {1, limits_.executions, "unfinished executions"});
}

Result<UserClaim> UserShare::claim(const Counter& counter, const Demand& demand) const {
    std::uint64_t present = counter->load();
    do {
        const bool isTooMuch = demand.amount > demand.limit;
        if (isTooMuch || present > demand.limit - demand.amount) {
            return fail(isTooMuch ? ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT
                                  : ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                        fmt::format("uid {} has {} {} and asks for {}, expected at most {} in all",
                                    uid_, present, demand.what, demand.amount, demand.limit));
        }
    } while (!counter->compare_exchange_weak(present, present + demand.amount));
    return UserClaim(counter.get(), [counter, amount = demand.amount](const void* /*counter*/) {
        *counter -= amount;
    });
}

}  // namespace vnpu::driver
