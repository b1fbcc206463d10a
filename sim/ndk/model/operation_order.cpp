// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/model/operation_order.h"

#include <functional>
#include <queue>

namespace vnpu::sim::ndk {

using android::hardware::neuralnetworks::V1_3::Operation;

Result<std::vector<std::uint32_t>> orderOperations(const std::vector<Operation>& operations,
                                                   const std::vector<bool>& isGiven) {
    // By operand, the operations that wait for it.
    std::vector<std::vector<std::uint32_t>> readers(isGiven.size());
    std::vector<std::size_t> missing(operations.size(), 0);
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
        for (const std::uint32_t input : operations[i].inputs) {
            if (!isGiven[input]) {
                readers[input].push_back(i);
                ++missing[i];
            }
        }
        if (missing[i] == 0) {
            ready.push(i);
        }
    }
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
        const std::uint32_t next = ready.top();
        ready.pop();
        order.push_back(next);
        for (const std::uint32_t output : operations[next].outputs) {
            for (const std::uint32_t reader : readers[output]) {
                if (--missing[reader] == 0) {
                    ready.push(reader);
                }
            }
            readers[output].clear();
        }
    }
    if (order.size() != operations.size()) {
        return badData(
                "{} of {} operations can never run: they read each other's outputs, or operands "
                "without a value",
                operations.size() - order.size(), operations.size());
    }
    return order;
}

}  // namespace vnpu::sim::ndk
