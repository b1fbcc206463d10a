# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES interrupt/interrupter.cpp interrupt/interruption.cpp interrupt/preemption_stress.cpp)
