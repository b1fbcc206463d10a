# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES scenario/arrivals.cpp scenario/duration.cpp scenario/input_data.cpp
     scenario/run_scenario.cpp scenario/scenario.cpp)
