# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES platform/bus_memory.cpp platform/host_bus.cpp platform/live_platform.cpp
     platform/live_port.cpp platform/pace.cpp platform/worker_pool.cpp platform/platform.cpp platform/virtual_port.cpp)
