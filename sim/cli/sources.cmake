# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES cli/info.cpp cli/regs.cpp cli/run.cpp)
list(APPEND VNPU_SIM_SOURCES cli/conform.cpp cli/infer.cpp cli/tensor_report.cpp)
