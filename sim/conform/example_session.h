// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/client/call_types.h"
#include "sim/conform/example_memory.h"
#include "sim/conform/flavor.h"
#include "sim/conform/hal_session.h"

namespace vnpu::sim {

/// The way of one example through an interface: the HAL, or NNAPI's C interface. On the client's
/// own thread.
class ExampleSession {
  public:
    virtual ~ExampleSession() = default;

    virtual SupportAnswer askSupport(const nn::Model& model) = 0;
    /// Prepares the model; for a cached flavor twice, of which the second time is from the cache.
    /// Returns the call that failed, or empty.
    virtual std::string prepare(const nn::Model& model) = 0;
    virtual CallResult execute(const nn::Request& request, const ExecutionOptions& options) = 0;
    /// Buffers of the device for the arguments of the prepared model.
    virtual std::unique_ptr<RoleBuffers> createBuffers() = 0;
};

/// Opens a session for an example in a flavor, which outlives the session.
using OpenSession = std::function<std::unique_ptr<ExampleSession>(const Flavor& flavor)>;

/// Sessions of the HAL. They must not outlive `context`.
OpenSession halSessions(ClientContext& context);

}  // namespace vnpu::sim
