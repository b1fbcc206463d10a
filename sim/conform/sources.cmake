# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    conform/compare.cpp
    conform/conformance.cpp
    conform/name_filter.cpp
    conform/vector_file.cpp
    conform/vector_model.cpp)
