# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES trace/event_stream.cpp trace/statistics.cpp)
