# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    client/device_calls.cpp
    client/driver_log.cpp
    client/job_cycles.cpp
    client/model_runner.cpp
    client/pool_memory.cpp
    client/request_pool.cpp
    client/run_platform.cpp
    client/state_tensors.cpp)
