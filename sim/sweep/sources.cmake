# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    sweep/content_hash.cpp
    sweep/isolated_runs.cpp
    sweep/overrides.cpp
    sweep/point_store.cpp
    sweep/process_pool.cpp
    sweep/run_sweep.cpp
    sweep/sweep_file.cpp
    sweep/sweep_table.cpp
    sweep/worker.cpp)
