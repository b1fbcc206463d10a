// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Relations of shapes and types for the rows of the operation tables. Each takes an operation that
// fits its signature and looks only at what is known: an unknown rank or dimension fits everything.

/// Whether two shapes can be the same once everything is known.
bool canBeEqual(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);

/// Output 0 has the shape of input 0.
Result<void> outputHasShapeOfInput(const OperationView& operation);
/// Output 0 has the rank of input 0.
Result<void> outputHasRankOfInput(const OperationView& operation);
/// Output 0 has as many elements as input 0.
Result<void> outputHasElementsOfInput(const OperationView& operation);
/// Inputs 0 and 1 agree from the last dimension on, or one of them has 1; output 0 has the larger.
Result<void> outputHasBroadcastShape(const OperationView& operation);
/// All three inputs and output 0 have one shape.
Result<void> choicesHaveOneShape(const OperationView& operation);
/// Input 1 has two numbers for each dimension of input 0.
Result<void> paddingsFitInput(const OperationView& operation);

/// A per-channel filter has its channels in dimension 0.
Result<void> channelDimensionIsFirst(const OperationView& operation);
/// A per-channel filter has its channels in dimension 3.
Result<void> channelDimensionIsLast(const OperationView& operation);
Result<void> biasHasDimensionOfFilter(const OperationView& operation, std::size_t dimension);
/// The bias has as many elements as the filter's dimension `Dimension`.
template <std::size_t Dimension>
Result<void> biasHasFilterDimension(const OperationView& operation) {
    return biasHasDimensionOfFilter(operation, Dimension);
}

/// Types beyond those that 1.2 casts are only cast to themselves.
Result<void> castChangesKnownTypes(const OperationView& operation);

}  // namespace vnpu::driver
