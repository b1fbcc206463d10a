# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES metrics/collect_records.cpp metrics/figures.cpp metrics/isolated.cpp metrics/percentile.cpp
     metrics/scheduling_metrics.cpp)
