// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "sim/base/error.h"
#include "sim/base/split.h"
#include "sim/ci/case_files.h"
#include "sim/compare/result_readers.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::json;

void addCase(const std::string& suite, const std::string& name, const std::string& result,
             const std::string& message, ResultSet& results) {
    ResultRow& row = results.row("case", CaseName{.suite = suite, .name = name}.text());
    row.words["result"] = result;
    row.note = message;
}

}  // namespace

ResultSet resultsOfJunit(std::string_view text, const std::string& file) {
    ResultSet results("cases");
    for (const JudgedCase& one : casesOfJunit(text, file)) {
        addCase(one.outcome.name.suite, one.outcome.name.name, nameOf(one.verdict), one.explanation,
                results);
    }
    return results;
}

ResultSet resultsOfJsonLines(std::string_view text) {
    ResultSet results("cases");
    for (const std::string& line : split(text, '\n')) {
        if (!line.empty()) {
            const Json json = Json::parse(line);
            addCase(json.value("suite", ""), json.at("name").get<std::string>(),
                    json.at("result").get<std::string>(), json.value("message", ""), results);
        }
    }
    return results;
}

ResultSet resultsOfBenchmarks(const Json& json, const std::string& file) {
    static const std::map<std::string, double> kNanoseconds = {
            {"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    ResultSet results("benchmarks");
    for (const Json& one : json.at("benchmarks")) {
        // Of repetitions only the median is compared, if there is one.
        if (one.value("run_type", "") == "aggregate" &&
            one.value("aggregate_name", "") != "median") {
            continue;
        }
        ResultRow& row =
                results.row("benchmark", one.value("run_name", one.at("name").get<std::string>()));
        const auto known = kNanoseconds.find(one.value("time_unit", "ns"));
        if (known == kNanoseconds.end()) {
            throw InputError(fmt::format("{}: time_unit is {}, expected ns, us, ms or s", file,
                                         one.at("time_unit").dump()));
        }
        const double unit = known->second;
        row.figures["real_ns"] = one.at("real_time").get<double>() * unit;
        row.figures["cpu_ns"] = one.at("cpu_time").get<double>() * unit;
        for (const char* rate : {"items_per_second", "bytes_per_second"}) {
            if (one.contains(rate)) {
                row.figures[rate] = one.at(rate).get<double>();
            }
        }
    }
    return results;
}

}  // namespace vnpu::sim
