# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    service/child_program.cpp
    service/hosted_device.cpp
    service/instance_name.cpp
    service/kill_test.cpp
    service/load_meter.cpp
    service/service_host.cpp
    service/service_process.cpp
    service/service_status.cpp)
