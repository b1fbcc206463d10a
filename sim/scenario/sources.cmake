# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    scenario/arrival_reader.cpp
    scenario/arrivals.cpp
    scenario/client_reader.cpp
    scenario/duration.cpp
    scenario/faults.cpp
    scenario/input_data.cpp
    scenario/run_scenario.cpp
    scenario/scenario.cpp
    scenario/scenario_keys.cpp
    scenario/trace_file.cpp)
