# SPDX-License-Identifier: Apache-2.0
# find_package(vnpu): vnpu::device_c, the device for hosts in C (vnpu_device.h), and vnpu::device, the device as a SystemC module
# (vnpu/systemc/device.h), which needs SystemC 2.3.4.
include("${CMAKE_CURRENT_LIST_DIR}/vnpuTargets.cmake")

find_library(VNPU_SYSTEMC_LIBRARY systemc)
find_path(VNPU_SYSTEMC_INCLUDE systemc)
if(VNPU_SYSTEMC_LIBRARY AND VNPU_SYSTEMC_INCLUDE)
    find_package(Threads REQUIRED)
    target_include_directories(vnpu::device INTERFACE "${VNPU_SYSTEMC_INCLUDE}")
    target_link_libraries(vnpu::device INTERFACE "${VNPU_SYSTEMC_LIBRARY}" Threads::Threads)
    # Debian's SystemC is a build for C++17, whose ABI tag is chosen by this macro.
    target_compile_definitions(vnpu::device INTERFACE SC_CPLUSPLUS=201703L)
    target_compile_features(vnpu::device INTERFACE cxx_std_17)
elseif(NOT vnpu_FIND_QUIETLY)
    message(STATUS "vnpu: SystemC was not found, so that only vnpu::device_c can be used")
endif()
