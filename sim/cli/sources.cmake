# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES cli/info.cpp cli/progress_line.cpp cli/regs.cpp cli/run.cpp cli/sweep.cpp cli/worker.cpp)
list(APPEND VNPU_SIM_SOURCES
    cli/client.cpp
    cli/conform.cpp
    cli/conform_report.cpp
    cli/cost_formula.cpp
    cli/disasm.cpp
    cli/infer.cpp
    cli/infer_report.cpp
    cli/live_client.cpp
    cli/models.cpp
    cli/operation_probes.cpp
    cli/operation_report.cpp
    cli/probe_operands.cpp
    cli/serve.cpp
    cli/stress.cpp
    cli/stress_faults.cpp
    cli/tensor_report.cpp
    cli/top.cpp
    cli/validate.cpp)
