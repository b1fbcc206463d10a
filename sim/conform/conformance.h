// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/conform/example_session.h"
#include "sim/conform/flavor.h"
#include "sim/conform/vector_file.h"
#include "sim/interrupt/interrupter.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

enum class VectorVerdict {
    kPassed,
    kFailed,
    kUnsupported,
    kOmitted,  // the example does not apply in this flavor
};

struct ExampleOutcome {
    VectorVerdict verdict = VectorVerdict::kPassed;
    std::string detail;                // why it failed or was omitted, or what is unsupported
    std::string unsupportedOperation;  // type of the first unsupported operation
    std::uint64_t interruptions = 0;   // of all executions
};

/// What a flavor with an interruption needs: the client that waits, and the interrupter of its
/// platform.
struct Disturbance {
    ClientContext& context;
    Interrupter& interrupter;
};

/// Runs one example through an interface in a flavor without contradictions: asks for support,
/// prepares, executes, compares. On the client's own thread. Only a flavor with an interruption
/// needs the disturbance.
ExampleOutcome runExample(const OpenSession& open, const Example& example, const Flavor& flavor,
                          const Disturbance* disturbance = nullptr);

/// The .cbor files below `folder` in the order of their paths; `folder` may be a single file.
/// Throws InputError if there is none.
std::vector<std::string> findVectorFiles(const std::string& folder);

}  // namespace vnpu::sim
