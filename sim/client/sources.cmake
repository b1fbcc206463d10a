# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    client/burst_calls.cpp
    client/device_calls.cpp
    client/driver_log.cpp
    client/execution_meter.cpp
    client/job_cycles.cpp
    client/model_runner.cpp
    client/polling.cpp
    client/pool_memory.cpp
    client/remote_context.cpp
    client/request_pool.cpp
    client/run_platform.cpp
    client/state_tensors.cpp)
