// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/driver/support/service.h"

namespace vnpu::driver::test {

/// The ways to execute a request that may name memory domains.
enum class Path { kSync, kAsync, kFenced };
inline constexpr Path kPaths[] = {Path::kSync, Path::kAsync, Path::kFenced};

/// What IDevice::allocate answered.
struct Allocated {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    android::sp<nn::V1_3::IBuffer> buffer;
    std::uint32_t token = 0;
};

using Models = std::vector<android::sp<nn::V1_3::IPreparedModel>>;
using Roles = std::vector<nn::V1_3::BufferRole>;

nn::V1_3::BufferRole role(std::uint32_t io, std::uint32_t model = 0, float frequency = 1.0F);

Allocated allocate(Service& service, const Models& models, const Roles& inputs,
                   const Roles& outputs, const std::vector<std::uint32_t>& dimensions = {});

/// Two RELUs side by side over `dimensions` of TENSOR_QUANT8_ASYMM: two inputs, two outputs. The
/// fake device computes output 1 from input 0 and leaves output 0 alone.
nn::V1_3::Model twoReluModel(const std::vector<std::uint32_t>& dimensions);

nn::V1_3::Request::MemoryPool tokenPool(std::uint32_t token);
nn::V1_3::Request::MemoryPool memoryPool(const Pool& pool);

/// All of the buffer behind a token in pool `pool`.
nn::V1_0::RequestArgument whole(std::uint32_t pool,
                                const std::vector<std::uint32_t>& dimensions = {});

/// One input in pool 0, one output in pool 1.
nn::V1_3::Request requestWith(const nn::V1_0::RequestArgument& input,
                              const nn::V1_3::Request::MemoryPool& inputPool,
                              const nn::V1_0::RequestArgument& output,
                              const nn::V1_3::Request::MemoryPool& outputPool);
/// From the buffer behind a token to all of a pool, and the other way round.
nn::V1_3::Request fromBuffer(std::uint32_t token, const Pool& output);
nn::V1_3::Request intoBuffer(const Pool& input, std::uint32_t token);

/// Runs a request to its end and returns its status; checks that failures come without shapes and
/// timing.
ErrorStatus run(Service& service, const android::sp<nn::V1_3::IPreparedModel>& model,
                const nn::V1_3::Request& request, Path path = Path::kSync);

/// Of a row.
inline constexpr std::uint32_t kDomainBytes = 64;

/// A prepared RELU over kDomainBytes with a pool of values that RELU leaves as they are, and one of
/// zeroes.
struct DomainService {
    explicit DomainService(const std::vector<std::uint32_t>& dimensions = {1, kDomainBytes},
                           std::uint32_t residentKib = 0);

    /// A buffer for input 0 and output 0 of the model.
    Allocated allocateBoth(const std::vector<std::uint32_t>& dimensions = {}) {
        return allocate(service, {model}, {role(0)}, {role(0)}, dimensions);
    }

    Service service;
    android::sp<nn::V1_3::IPreparedModel> model;
    Pool values;
    Pool result;
};

/// Whether the result is the values.
bool isResultRight(const DomainService& domain);

/// An execution of `count` rows from memory into a buffer.
nn::V1_3::Request rowsInto(const Pool& rows, std::uint32_t count, std::uint32_t token);

/// Releases everything but a buffer, which must still work, and then the buffer: no device memory
/// is left in use. The service cannot be used afterwards.
void checkBufferIsLast(DomainService& domain);

}  // namespace vnpu::driver::test
