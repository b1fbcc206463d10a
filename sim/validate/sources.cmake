# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    validate/check.cpp
    validate/estimate_rung.cpp
    validate/ethosu_causes.cpp
    validate/ethosu_rung.cpp
    validate/ladder.cpp
    validate/layer_parameters.cpp
    validate/layer_shape.cpp
    validate/measurement.cpp
    validate/nvdla_causes.cpp
    validate/nvdla_networks.cpp
    validate/nvdla_rung.cpp
    validate/nvdla_sheet.cpp
    validate/reference_table.cpp
    validate/sweep_rungs.cpp
    validate/synthetic_work.cpp
    validate/systolic_rung.cpp
    validate/systolic_table.cpp
    validate/validation_plot.cpp
    validate/validation_report.cpp
    validate/vela_block.cpp
    validate/vela_cycles.cpp
    validate/vela_estimate.cpp
    validate/vela_layer.cpp)
