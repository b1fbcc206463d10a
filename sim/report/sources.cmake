# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES report/config_json.cpp report/csv_files.cpp report/device_peaks.cpp report/energy_report.cpp
     report/metrics_json.cpp report/run_report.cpp report/sharing.cpp report/summary.cpp report/svg.cpp report/text_table.cpp report/timeline_svg.cpp report/write_report.cpp)
