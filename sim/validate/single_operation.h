// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "sim/models/network.h"

namespace vnpu::sim {

/// The operations by which single engines are measured.
enum class OperationKind : std::uint8_t {
    kProduct8,       // MAC array: rows x depth times depth x columns, int8, with a bias
    kProductFloat,   // the same in float32
    kSum8,           // vector unit: ADD of two tensors of rows x columns, int8
    kLogisticFloat,  // vector unit: rows x columns, float32
    kSoftmaxFloat,   // vector unit: along the columns, float32
    kLookupFloat,    // DSP: EMBEDDING_LOOKUP of `rows` rows of `columns` from a table of `depth`
    kRnnFloat,       // DSP: RNN of `columns` units over `depth` inputs, a batch of `rows`
};

/// A model of one operation. Extents that its kind does not use are 0.
struct SingleOperation {
    OperationKind kind{};
    std::uint32_t rows = 0, depth = 0, columns = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): version 14 takes the default's 0 for a pointer
    auto operator<=>(const SingleOperation&) const = default;
};

/// Constants are zero. Throws InputError for an unknown kind.
Network operationNetwork(const SingleOperation& operation);

}  // namespace vnpu::sim
