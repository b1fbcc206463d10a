// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Relations of shapes and types for the rows of the operation tables. Each takes an operation that
// fits its signature and looks only at what is known: an unknown rank or dimension fits everything.

/// Output 0 has the shape of input 0.
std::optional<std::string> outputHasShapeOfInput(const OperationView& operation);
/// Output 0 has the rank of input 0.
std::optional<std::string> outputHasRankOfInput(const OperationView& operation);
/// Output 0 has as many elements as input 0.
std::optional<std::string> outputHasElementsOfInput(const OperationView& operation);
/// Inputs 0 and 1 agree from the last dimension on, or one of them has 1; output 0 has the larger.
std::optional<std::string> outputHasBroadcastShape(const OperationView& operation);
/// All three inputs and output 0 have one shape.
std::optional<std::string> choicesHaveOneShape(const OperationView& operation);
/// Input 1 has two numbers for each dimension of input 0.
std::optional<std::string> paddingsFitInput(const OperationView& operation);

/// A per-channel filter has its channels in dimension 0.
std::optional<std::string> channelDimensionIsFirst(const OperationView& operation);
/// A per-channel filter has its channels in dimension 3.
std::optional<std::string> channelDimensionIsLast(const OperationView& operation);
std::optional<std::string> biasHasDimensionOfFilter(const OperationView& operation,
                                                    std::size_t dimension);
/// The bias has as many elements as the filter's dimension `Dimension`.
template <std::size_t Dimension>
std::optional<std::string> biasHasFilterDimension(const OperationView& operation) {
    return biasHasDimensionOfFilter(operation, Dimension);
}

/// Types beyond those that 1.2 casts are only cast to themselves.
std::optional<std::string> castChangesKnownTypes(const OperationView& operation);

}  // namespace vnpu::driver
