// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace vnpu::bench {

/// The median wall time and processor time of each benchmark, in seconds.
class CollectingReporter : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const bool isMedian =
                    run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
            if (isMedian) {
                medianSeconds[run.run_name.function_name] =
                        run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
                medianCpuSeconds[run.run_name.function_name] =
                        run.GetAdjustedCPUTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
                for (const auto& [counter, value] : run.counters) {
                    medianCounters[run.run_name.function_name][counter] = value;
                }
            }
        }
        ConsoleReporter::ReportRuns(runs);
    }

    std::map<std::string, double> medianSeconds, medianCpuSeconds;
    std::map<std::string, std::map<std::string, double>> medianCounters;
};

}  // namespace vnpu::bench
