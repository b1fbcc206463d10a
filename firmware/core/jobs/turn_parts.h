// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/jobs/command_fetcher.h"
#include "firmware/core/jobs/context_mover.h"
#include "firmware/core/jobs/dispatcher.h"
#include "firmware/core/jobs/job_turn.h"
#include "firmware/core/jobs/loop_clock.h"
#include "firmware/core/jobs/region_table.h"
#include "firmware/core/scheduling/scheduler.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The objects that the steps of a turn share. JobRunner owns all but port, dispatcher and
/// scheduler.
struct TurnParts {
    hw::ControllerPort& port;
    Dispatcher& dispatcher;
    Scheduler& scheduler;
    JobTurn& turn;
    CommandFetcher& fetcher;
    RegionTable& regions;
    LoopClock& loops;
    ContextMover& mover;
};

}  // namespace vnpu::fw
