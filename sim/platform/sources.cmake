# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES platform/bus_memory.cpp platform/host_bus.cpp platform/live_platform.cpp
