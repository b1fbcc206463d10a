# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    conform/cache_files.cpp
    conform/compare.cpp
    conform/conform_run.cpp
    conform/conformance.cpp
    conform/domain_memory.cpp
    conform/down_conversion.cpp
    conform/example_request.cpp
    conform/flavour.cpp
    conform/hal_session.cpp
    conform/hal_session_earlier.cpp
    conform/name_filter.cpp
    conform/pooled_memory.cpp
    conform/quantisation_twin.cpp
    conform/result_checks.cpp
    conform/vector_file.cpp
    conform/vector_model.cpp)
