// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/process_pool.h"
#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// The isolated times of a scenario's clients, each measured by a process of its own; those that
/// can't be had are left out. `request` names scenario, file, seed and configuration.
IsolatedTimes measureIsolated(const Scenario& scenario, WorkerRequest request, ProcessPool& pool);

}  // namespace vnpu::sim
