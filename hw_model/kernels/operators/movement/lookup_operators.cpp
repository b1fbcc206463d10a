// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

/// `values` with its first dimension replaced.
Dimensions rowsOf(const Tensor& values, const Tensor& lookups) {
    Dimensions dimensions = values.dimensions;
    dimensions[0] = lookups.dimensions[0];
    return dimensions;
}

std::uint64_t rowBytes(const Tensor& values) {
    return values.dimensions.elements(1, values.dimensions.rank()) * elementBytes(values.type);
}

JobStatus embeddingLookup(OperatorCall& call) {
    const Tensor& lookups = call.input(0);
    const Tensor& values = call.input(1);
    if (values.dimensions.rank() == 0) {
        return call.refuse("the values have no rows");
    }
    const Dimensions to = rowsOf(values, lookups);
    VNPU_TRY(call.settle(0, to));
    const std::uint32_t rows = values.dimensions[0];
    const std::uint64_t run = rowBytes(values);
    std::byte* out = call.write<std::byte>(0);
    for (const std::int32_t row : lookups.values<std::int32_t>()) {
        if (row < 0 || static_cast<std::uint32_t>(row) >= rows) {
            return call.refuse(fmt::format("row is {}, expected 0 to {}", row, rows - 1LL));
        }
        if (to.elements() != 0) {
            std::memcpy(out, values.data + static_cast<std::uint64_t>(row) * run, run);
            out += run;
        }
    }
    return JobStatus::kOk;
}

JobStatus hashtableLookup(OperatorCall& call) {
    const Tensor& lookups = call.input(0);
    const std::span<const std::int32_t> keys = call.input(1).values<std::int32_t>();
    const Tensor& values = call.input(2);
    if (values.dimensions.rank() == 0 || values.dimensions[0] != keys.size()) {
        return call.refuse(
                fmt::format("{} keys for values of {}", keys.size(), describe(values.dimensions)));
    }
    const Dimensions to = rowsOf(values, lookups);
    const Dimensions outputs[] = {to, lookups.dimensions};
    VNPU_TRY(call.settleAll(outputs));
    const std::uint64_t run = to.elements() == 0 ? 0 : rowBytes(values);
    std::byte* out = call.write<std::byte>(0);
    std::uint8_t* hits = call.write<std::uint8_t>(1);
    for (const std::int32_t key : lookups.values<std::int32_t>()) {
        const auto found = std::lower_bound(keys.begin(), keys.end(), key);
        const bool isHit = found != keys.end() && *found == key;
        *hits++ = isHit ? 1 : 0;
        if (run == 0) {
            continue;
        }
        if (isHit) {
            std::memcpy(out, values.data + static_cast<std::uint64_t>(found - keys.begin()) * run,
                        run);
        } else {
            std::memset(out, 0, run);
        }
        out += run;
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kLookupEntries[] = {
        {Operator::kEmbeddingLookup, {"v1T", "T"}, embeddingLookup},
        {Operator::kHashtableLookup, {"v1v1T", "Th"}, hashtableLookup}};

}  // namespace

std::span<const OperatorEntry> lookupOperators() {
    return kLookupEntries;
}

}  // namespace vnpu::hw::kernels
