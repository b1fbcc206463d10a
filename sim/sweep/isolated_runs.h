// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/process_pool.h"
#include "sim/metrics/isolated.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// Puts what a worker measured, or why it did not, to the others.
void addIsolated(const std::string& key, const WorkerAnswer& answer, IsolatedTimes& times);

/// The isolated times of a scenario's clients, each measured by a process of its own; for those
/// that can't be had it says why. `request` names scenario, file, seed and configuration.
IsolatedTimes measureIsolated(const Scenario& scenario, WorkerRequest request, ProcessPool& pool);

}  // namespace vnpu::sim
