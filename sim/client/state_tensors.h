// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/models/network.h"
#include "sim/models/operand_types.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// An output of a network that is an input of its next execution.
struct StatePair {
    std::uint32_t output = 0;
    std::uint32_t input = 0;
};

/// The state of a recurrent network, kept by the device from execution to execution: two buffers of
/// a memory domain per pair, which change roles every time. It begins as real zeroes. On the
/// client's own thread.
class StateTensors {
  public:
    /// Throws InputError where a pair names tensors that do not exist, differ, or have unknown
    /// dimensions, and std::runtime_error where the driver gives no buffer.
    StateTensors(ClientContext& context, const android::sp<nn::IPreparedModel>& preparedModel,
                 const Network& network, std::span<const StatePair> pairs);

    /// Has `request` read the present state and write the next; adds the pools for both.
    void addTo(nn::Request& request) const;
    /// The next state is the present one from now on.
    void advance() { present_ = 1 - present_; }
    /// A copy of the present state of pair `index`, made by the host.
    std::vector<std::byte> read(std::size_t index) const;

  private:
    struct Buffer {
        android::sp<nn::IBuffer> buffer;
        std::uint32_t token = 0;
    };
    struct State {
        StatePair pair;
        std::uint64_t sizeBytes = 0;
        Buffer buffers[2];
    };

    std::vector<State> states_;
    std::size_t present_ = 0;  // index of the buffers that hold the present state
};

/// Checks pairs against a network without a device; throws InputError.
void checkStatePairs(const Network& network, std::span<const StatePair> pairs);

}  // namespace vnpu::sim
