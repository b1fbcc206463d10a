# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    validate/check.cpp
    validate/ladder.cpp
    validate/layer_shape.cpp
    validate/measurement.cpp
    validate/reference_table.cpp
    validate/systolic_rung.cpp
    validate/systolic_table.cpp
    validate/validation_report.cpp)
