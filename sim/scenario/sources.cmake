# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    scenario/arrival_reader.cpp
    scenario/arrivals.cpp
    scenario/client_reader.cpp
    scenario/duration.cpp
    scenario/faults.cpp
    scenario/input_data.cpp
    scenario/live_client.cpp
    scenario/live_scenario.cpp
    scenario/refusal_judge.cpp
    scenario/run_scenario.cpp
    scenario/scenario.cpp
    scenario/scenario_client.cpp
    scenario/scenario_keys.cpp
    scenario/start_gate.cpp
    scenario/trace_file.cpp)
