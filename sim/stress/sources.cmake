# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES stress/stress.cpp stress/stress_client.cpp stress/stress_models.cpp)
