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

/// Where an example's arguments lie during one execution. On the client's own thread.
class ExampleMemory {
  public:
    virtual ~ExampleMemory() = default;

    /// All inputs filled in.
    virtual const nn::Request& request() const = 0;

    /// The bytes of an output after the execution, or why they cannot be had.
    virtual tl::expected<std::vector<std::byte>, std::string> output(std::size_t index) const = 0;

    /// Empty, or what the execution did where it had no business.
    virtual std::string findDamage() const = 0;
};

/// In pools of the client's.
std::unique_ptr<ExampleMemory> placeInPools(const Example& example, PoolKind kind, OutputRoom room);

/// Each argument in a buffer of the device's own, allocated for just that role and without a
/// description; contents are copied from and to memory of this kind. Or which call of the device
/// did not do what it has to.
tl::expected<std::unique_ptr<ExampleMemory>, std::string> placeInDomains(
        ClientContext& context, const Example& example,
        const android::sp<nn::IPreparedModel>& preparedModel, PoolKind kind);

}  // namespace vnpu::sim
