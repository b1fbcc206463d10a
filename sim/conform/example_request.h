// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/client/request_pool.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// How the outputs of an example lie in their pools. Inputs lie one behind the other in pool 0.
enum class OutputRoom {
    kExact,  // one behind the other in pool 1, at multiples of four
    kTight,  // each in a pool of its own, whose last byte is the output's
    kShort   // as kExact, but the first output misses its last byte
};

/// Output bytes that nobody has written.
inline constexpr std::byte kUnwritten{0xA5};

/// A request with an example's inputs, and room for its outputs, filled with kUnwritten.
class ExampleRequest {
  public:
    /// Throws std::runtime_error without memory. kShort needs a first output of two bytes at least.
    explicit ExampleRequest(const Example& example, PoolKind kind = PoolKind::kAshmem,
                            OutputRoom room = OutputRoom::kExact);

    const nn::Request& request() const { return request_; }

    /// The bytes of an output; of an empty one, the single byte that its argument has.
    std::span<const std::byte> output(std::size_t index) const;

    /// Empty, or where something was written beside the outputs.
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
