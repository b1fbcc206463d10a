// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

/// Input, weights and bias of a sum of products, in the form that the device computes it: 8 bits
/// where NNAPI has that, else float32. Refuses a bias whose scales do not fit.
class Product {
  public:
    /// `channelDimension` of the weights is that of the result's channels. Per-channel weights are
    /// for convolutions.
    Product(Emitter& emitter, const Value& input, const Value& weights,
            const std::optional<Value>& bias, std::uint32_t channelDimension, const Form& form);

    /// Input, weights and bias.
    std::vector<Index> operands() const { return operands_; }
    /// Form of the sums.
    const Form& form() const { return form_; }

  private:
    std::vector<Index> operands_;
    Form form_;
};

/// The bias as real values: its own scales, or the products of those of input and weights.
Value realBias(Emitter& emitter, const Value& bias, const Value& input, const Value& weights);

/// Rows x inputs with weights units x inputs; gives rows x units.
Value fullyConnected(Emitter& emitter, const Value& input, const Value& weights,
                     const std::optional<Value>& bias, Clamp fused, const Form& form);
/// Matrix products over the last two dimensions, the others broadcast.
Value batchMatmul(Emitter& emitter, const Value& a, const Value& b, bool transposeA,
                  bool transposeB, const Form& form);

}  // namespace vnpu::sim::graph
