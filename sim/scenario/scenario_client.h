// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/models/network.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_outcome.h"

namespace vnpu::sim {

/// Who is told what a client does. On the client's thread.
class ClientWatch {
  public:
    virtual ~ClientWatch() = default;

    /// Waits until all clients are ready, and gives the common start, as the context's clock says.
    virtual std::uint64_t awaitStart(ClientContext& context) = 0;
    /// It prepares its model now.
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

/// Prepares the client's model and executes its frames. std::runtime_error if it is not prepared.
void runClient(const ClientRun& run, ClientContext& context);

/// The network of a client. Throws InputError for one that can't be had.
Network networkOf(const ClientSpec& spec, std::uint64_t seed, bool timingOnly);

}  // namespace vnpu::sim
