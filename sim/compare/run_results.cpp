// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "sim/base/error.h"
#include "sim/compare/csv_text.h"
#include "sim/compare/result_readers.h"
#include "sim/metrics/figure_name.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::json;

/// Of the shares beyond 2 to 20 times the isolated time, one and the mean are enough to see a
/// change.
bool isKept(const std::string& quantity) {
    return !quantity.starts_with("sla_") || quantity == "sla_4" || quantity == "sla_mean";
}

void addConfig(const Json& json, const std::string& prefix, ResultRow& row) {
    for (const auto& [key, value] : json.items()) {
        const std::string name = prefix.empty() ? key : fmt::format("{}.{}", prefix, key);
        if (value.is_object() && key != "peaks") {
            addConfig(value, name, row);
        } else if (value.is_number()) {
            row.figures[name] = value.get<double>();
        } else if (value.is_string()) {
            row.words[name] = value.get<std::string>();
        }
    }
}

void addClient(const Json& client, ResultSet& results) {
    const std::string name = client.at("name").get<std::string>();
    ResultRow& row = results.row("client", name);
    const double jobs = client.at("jobs").get<double>();
    if (jobs > 0.0) {
        row.figures["job_cycles"] = client.at("job_cycles").get<double>() / jobs;
        row.figures["energy_uj"] = client.at("energy_per_job").at("total").get<double>();
    }
    row.figures["output_mismatches"] = client.at("output_mismatches").get<double>();
    const auto mismatch = client.find("first_mismatch");  // results of earlier versions have none
    if (mismatch != client.end() && mismatch->is_string()) {
        row.note = mismatch->get<std::string>();
    }
    row.words["model"] = client.at("model").get<std::string>();
    if (client.at("output_hash").is_string()) {
        row.words["output_hash"] = client.at("output_hash").get<std::string>();
    }
}

/// The figures of a run without those of priorities and of all clients together, which repeat what
/// the clients' figures say.
Json withoutSums(const Json& figures) {
    Json kept = Json::object();
    std::set<std::string> ofClients;
    for (const auto& [key, value] : figures.items()) {
        if (const std::size_t end = key.find('['); end != std::string::npos) {
            ofClients.insert(key.substr(0, end));
        }
    }
    for (const auto& [key, value] : figures.items()) {
        const bool isOfPriority = key.find_first_of(".[@") != std::string::npos &&
                                  key[key.find_first_of(".[@")] == '.';
        if (!isOfPriority && !ofClients.contains(key)) {
            kept[key] = value;
        }
    }
    return kept;
}

double numberOf(const std::string& text, const std::string& file, const char* column) {
    double value = 0.0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || end != last || !std::isfinite(value)) {
        throw InputError(fmt::format("{}: {} is \"{}\", expected a number", file, column, text));
    }
    return value;
}

}  // namespace

void addFigures(const Json& figures, const std::string& kind, const std::string& name,
                const std::string& prefix, ResultSet& results) {
    for (const auto& [key, value] : figures.items()) {
        const FigureName figure = figureNameOf(key);
        // A sweep has an object with the mean, a run the number itself.
        const Json& number = value.is_object() ? value.at("mean") : value;
        if (!isKept(figure.quantity) || number.is_null()) {
            continue;
        }
        ResultRow& row = figure.kind == "run" ? results.row(kind, name)
                                              : results.row(figure.kind, prefix + figure.name);
        row.figures[figure.quantity] = number.get<double>();
    }
}

ResultSet resultsOfRun(const Json& metrics) {
    ResultSet results("run", metrics.at("scenario").get<std::string>());
    ResultRow& run = results.row("run", results.subject);
    run.figures["dram_bytes"] = metrics.at("dram").at("bytes").get<double>();
    run.figures["energy_uj"] = metrics.at("energy").at("total").get<double>();
    run.words["seed"] = fmt::format("{}", metrics.at("seed").get<std::uint64_t>());
    addFigures(withoutSums(metrics.at("scheduling").at("figures")), "run", results.subject, "",
               results);
    for (const Json& client : metrics.at("clients")) {
        addClient(client, results);
    }
    addConfig(metrics.at("config"), "", results.row("config", "of the device"));
    return results;
}

void addLayers(std::string_view text, const std::string& file, ResultSet& results) {
    const CsvTable table(text, file);
    // Not by number, so that a layer more or less does not rename those behind it.
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::string& own = table.at(i, "name");
        std::string name = fmt::format("{}: {}", table.at(i, "client"),
                                       own.empty() ? table.at(i, "type") : own);
        if (const int count = ++counts[name]; count > 1) {
            name += fmt::format(" #{}", count);
        }
        ResultRow& row = results.row("layer", name);
        for (const char* column : {"cycles", "macs", "sram_bytes", "dram_bytes", "energy_uj",
                                   "commands", "estimate_cycles"}) {
            row.figures[column] = numberOf(table.at(i, column), file, column);
        }
        row.words["type"] = table.at(i, "type");
    }
}

ResultSet resultsOfSweep(const Json& sweep) {
    ResultSet results("sweep", sweep.at("sweep").get<std::string>());
    for (const Json& row : sweep.at("rows")) {
        std::string name;
        for (const auto& axis : sweep.at("axes")) {
            const std::string key = axis.get<std::string>();
            name += fmt::format("{}{}={}", name.empty() ? "" : " ", key,
                                row.at("labels").at(key).get<std::string>());
        }
        ResultRow& point = results.row("point", name);
        point.figures["points"] = row.at("points").get<double>();
        const Json& failures = row.at("failures");
        point.figures["failed_points"] = static_cast<double>(failures.size());
        if (!failures.empty()) {
            point.note = fmt::format("seed {}: {}", failures[0].at("seed").get<std::uint64_t>(),
                                     failures[0].at("error").get<std::string>());
        }
        addFigures(row.at("figures"), "point", name, name + ": ", results);
    }
    return results;
}

ResultSet resultsOfValidation(std::string_view text, const std::string& file) {
    const CsvTable table(text, file);
    ResultSet results("validate");
    for (std::size_t i = 0; i < table.size(); ++i) {
        ResultRow& row =
                results.row("check", fmt::format("{}: {}, {}", table.at(i, "rung"),
                                                 table.at(i, "subject"), table.at(i, "quantity")));
        row.words["verdict"] = table.at(i, "verdict");
        row.note = table.at(i, "note");
        double model = 0.0, reference = 0.0;
        try {
            model = numberOf(table.at(i, "model"), file, "model");
            reference = numberOf(table.at(i, "reference"), file, "reference");
        } catch (const InputError&) {
            continue;  // a row without numbers has its verdict only
        }
        row.figures["model"] = model;
        row.figures["reference"] = reference;
        if (reference != 0.0) {
            row.figures["distance"] = std::abs(model / reference - 1.0);
        }
    }
    return results;
}

}  // namespace vnpu::sim
