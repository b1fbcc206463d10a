// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Relations for the rows of operation_table.cpp. Each takes an operation that fits its signature
// and looks only at what is known: an unknown rank or dimension fits everything. Inputs are counted
// as the operation lists them: data, filter, bias.

/// Input and output 0 have rank 4.
std::optional<std::string> inputsAreImages(const OperationView& operation);
/// Filter has rank 4 and bias rank 1.
std::optional<std::string> filterHasRankFour(const OperationView& operation);
/// Weights have rank 2 and bias rank 1.
std::optional<std::string> weightsHaveRankTwo(const OperationView& operation);
/// A quantised bias has zero point 0 and the product of the scales of data and filter as its scale;
/// 0 for a per-channel filter.
std::optional<std::string> biasMatchesFilter(const OperationView& operation);
/// A per-channel filter has its channels in dimension 0.
std::optional<std::string> channelDimensionIsFirst(const OperationView& operation);
/// A per-channel filter has its channels in dimension 3.
std::optional<std::string> channelDimensionIsLast(const OperationView& operation);
/// Output 0 has scale and zero point of input 0.
std::optional<std::string> outputIsQuantisedAsInput(const OperationView& operation);
/// A quantised output 0 has scale 1/256 and its zero point at the lowest value.
std::optional<std::string> outputIsQuantisedAsProbability(const OperationView& operation);

}  // namespace vnpu::driver
