// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "sim/ndk/compute/compilation.h"

namespace vnpu::sim::ndk {

/// Computes the steps of a finished compilation one after the other and returns at the end. `call`
/// has the inputs and outputs of the whole model. `bursts` has an element for each step, null where
/// there is none, or is empty. Steps that fail are computed on the stand-in, if there is one. The
/// outcome has a shape for each output wherever it is known. Any thread.
CallOutcome runPlan(const Compilation& compilation, const Call& call,
                    const std::vector<std::shared_ptr<BurstLink>>& bursts = {});

/// Adds the declared shapes of outputs about which a device says nothing.
void completeShapes(const Compilation& compilation, const Call& call, CallOutcome& outcome);

}  // namespace vnpu::sim::ndk
