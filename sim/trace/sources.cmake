# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES trace/event_stream.cpp trace/live_trace.cpp trace/perfetto_sink.cpp trace/perfetto_writer.cpp trace/power_label.cpp trace/statistics.cpp
     trace/trace_files.cpp trace/vcd_sink.cpp trace/vcd_writer.cpp)
