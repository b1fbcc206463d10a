// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <cstddef>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/conform/example_request.h"
#include "sim/platform/platform.h"

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

/// Memory in buffers of the device, one for each argument, allocated for just that role and without
/// a description; contents are copied from and to pools of kind `pools`. Returns the failed call of
/// the device as error.
tl::expected<std::unique_ptr<ExampleMemory>, std::string> placeInDomains(
        ClientContext& context, const Example& example,
        const android::sp<nn::IPreparedModel>& preparedModel, PoolKind kind);

}  // namespace vnpu::sim
