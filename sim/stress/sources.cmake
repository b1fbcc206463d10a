# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES stress/fault_clients.cpp stress/fault_stress.cpp stress/fault_watch.cpp stress/stress.cpp stress/stress_client.cpp stress/stress_models.cpp)
