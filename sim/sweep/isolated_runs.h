// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/process_pool.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// Adds a measured time, or the reason why it is missing.
void addIsolated(const std::string& key, const WorkerAnswer& answer, IsolatedTimes& times);

/// The isolated times of the clients of a scenario, each measured in a process of its own, with the
/// reasons for missing ones. `request` names scenario, file, seed and configuration.
IsolatedTimes measureIsolated(const Scenario& scenario, WorkerRequest request, ProcessPool& pool);

}  // namespace vnpu::sim
