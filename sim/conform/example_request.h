// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/client/request_pool.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// The layout of the outputs of an example in their pools. Inputs follow one another in pool 0.
enum class OutputRoom {
    kExact,  // one behind the other in pool 1, at multiples of four
    kTight,  // each in a pool of its own, whose last byte is the output's
    kShort   // as kExact, but the first output misses its last byte
};

/// The value of output bytes before the execution.
inline constexpr std::byte kUnwritten{0xA5};

/// A request with an example's inputs, and room for its outputs, filled with kUnwritten.
class ExampleRequest {
  public:
    /// Throws std::runtime_error without memory. For kShort, the first output must have at least
    /// two bytes.
    explicit ExampleRequest(const Example& example, PoolKind kind = PoolKind::kAshmem,
                            OutputRoom room = OutputRoom::kExact);

    const nn::Request& request() const { return request_; }

    /// The bytes of an output; for an empty output, the single byte of its argument.
    std::span<const std::byte> output(std::size_t index) const;

    /// The place of a write outside the outputs, or empty.
    std::string findStrayByte() const;

  private:
    struct Place {
        std::size_t pool = 0;  // of outputPools_
        std::size_t argument = 0;
    };

    void placeInputs(const Example& example, PoolKind kind);
    void placeOutputs(const Example& example, PoolKind kind, OutputRoom room);
    void addOutputPool(const std::vector<std::uint64_t>& sizes, PoolKind kind);

    nn::Request request_;
    std::vector<RequestPool> outputPools_;
    std::vector<Place> outputs_;
};

}  // namespace vnpu::sim
