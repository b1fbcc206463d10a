// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/conform/example_request.h"

namespace vnpu::sim {

/// The memory of an example's arguments during one execution. On the client's own thread.
class ExampleMemory {
  public:
    virtual ~ExampleMemory() = default;

    /// A request with all inputs filled in.
    virtual const nn::Request& request() const = 0;

    /// The bytes of an output after the execution, or why they are not available.
    virtual tl::expected<std::vector<std::byte>, std::string> output(std::size_t index) const = 0;

    /// Where the execution wrote outside the outputs, or empty.
    virtual std::string findDamage() const = 0;
};

/// Memory in pools of the client.
std::unique_ptr<ExampleMemory> placeInPools(const Example& example, PoolKind kind, OutputRoom room);

enum class ArgumentRole { kInput, kOutput };

/// Buffers of the device, each for one role of the session's prepared model. On the client's own
/// thread.
class RoleBuffers {
  public:
    virtual ~RoleBuffers() = default;

    /// Allocates a buffer for argument `index`. Returns its token, which requests name it by while
    /// this object lives, or the answer of the device.
    virtual tl::expected<std::uint32_t, std::string> allocate(ArgumentRole role,
                                                              std::uint32_t index) = 0;
    /// Copies the whole memory to a buffer, or a buffer to the whole memory.
    virtual nn::ErrorStatus copyFrom(const android::hardware::hidl_memory& memory,
                                     std::uint32_t token) = 0;
    virtual nn::ErrorStatus copyTo(const android::hardware::hidl_memory& memory,
                                   std::uint32_t token) = 0;
};

/// Memory in buffers of the device, one for each argument; contents are copied from and to pools of
/// kind `pools`. Returns the failed call of the device as error.
tl::expected<std::unique_ptr<ExampleMemory>, std::string> placeInDomains(
        std::unique_ptr<RoleBuffers> buffers, const Example& example, PoolKind kind);

}  // namespace vnpu::sim
