# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES service/instance_name.cpp service/service_host.cpp service/service_process.cpp)
