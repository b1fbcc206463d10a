// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>

#include "sim/models/network.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_outcome.h"

namespace vnpu::sim {

/// The HAL's name of a priority.
android::hardware::neuralnetworks::V1_3::Priority halPriority(ClientPriority priority);

/// Observes a client. On the client's thread.
class ClientWatch {
  public:
    virtual ~ClientWatch() = default;

    /// Waits until all clients are ready and returns the common start on the clock of the context.
    virtual std::uint64_t awaitStart(ClientContext& context) = 0;
    /// The client starts to prepare its model.
    virtual void onPrepare() {}
    virtual void onFrameBegin(const FrameRecord& /*record*/) {}
    virtual void onFrameEnd(const FrameRecord& /*record*/) {}
    virtual void onExecuted(ClientContext& context, FrameRecord record) = 0;
};

/// One client of a scenario, in virtual time or live.
struct ClientRun {
    const Scenario& scenario;
    std::uint32_t index = 0;  // of the client in it
    const Network& network;
    bool checksOutputs = false;
    ClientWatch& watch;
    ClientOutcome& outcome;
};

/// Prepares the client's model and executes its frames. Throws std::runtime_error if the model is
/// not prepared.
void runClient(const ClientRun& run, ClientContext& context);

/// The network of a client. Throws InputError for one that cannot be loaded.
Network networkOf(const ClientSpec& spec, std::uint64_t seed, bool hasWeights);

}  // namespace vnpu::sim
