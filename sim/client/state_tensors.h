// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/client/call_types.h"
#include "sim/models/network.h"
#include "sim/models/operand_types.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// The state of a recurrent network, which the device keeps between executions: two buffers of a
/// memory domain per pair, which swap their roles after every execution. The state begins with
/// its first value. On the client's own thread.
class StateTensors {
  public:
    /// Throws InputError where a pair names tensors that do not exist, differ, or have unknown
    /// dimensions, and std::runtime_error where the driver gives no buffer.
    StateTensors(ClientContext& context, const android::sp<nn::IPreparedModel>& preparedModel,
                 const Network& network, std::span<const NetworkState> pairs);

    /// Makes `request` read the states from the buffers of `turn`, 0 or 1, and write them to the
    /// other ones; adds the pools of both.
    void addTo(nn::Request& request, std::size_t turn) const;
    /// The turn whose buffers hold the current state.
    std::size_t turn() const { return turn_; }
    /// Makes the next state the current one.
    void advance() { turn_ = 1 - turn_; }

  private:
    struct State {
        NetworkState pair;
        std::uint64_t sizeBytes = 0;
        AllocateResult buffers[2];
    };

    std::vector<State> states_;
    std::size_t turn_ = 0;
};

/// Checks pairs against a network without a device; throws InputError.
void checkNetworkStates(const Network& network, std::span<const NetworkState> pairs);

}  // namespace vnpu::sim
