// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/client/request_pool.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// The NNAPI model of an example, laid out as the HAL's own suite does it. Throws
/// std::runtime_error without memory.
nn::Model makeModel(const Example& example);

/// A request with the example's inputs in pool 0 and room for its outputs in pool 1.
struct ExampleRequest {
    RequestPool inputs;
    RequestPool outputs;
    nn::Request request;
};

/// Output bytes start as kUnwritten.
ExampleRequest makeRequest(const Example& example);

inline constexpr std::byte kUnwritten{0xA5};

}  // namespace vnpu::sim
