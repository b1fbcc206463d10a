// SPDX-License-Identifier: Apache-2.0
#include "sim/results/store_results.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "sim/report/config_json.h"
#include "sim/results/run_metrics.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

void bindTexts(Statement& statement, int first, std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) {
        statement.bind(first++, text);
    }
}

void addCases(RunWriter& run, const std::vector<JudgedCase>& cases) {
    Statement add(run.database(), "INSERT INTO case_result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const JudgedCase& one : cases) {
        const CaseName& name = one.outcome.name;
        add.bind(1, run.id());
        bindTexts(add, 2, {name.suite, name.name, name.file, nameOf(one.verdict), one.explanation});
        add.bind(7, std::int64_t{one.runs});
        add.bind(8, std::int64_t{one.failures});
        add.bind(9, one.outcome.time.count());
        add.run();
    }
}

void addClients(RunWriter& run, const Json& clients) {
    Statement add(run.database(), "INSERT INTO client VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const Json& client : clients) {
        const auto text = [&](const char* key) { return client.at(key).get<std::string>(); };
        add.bind(1, run.id());
        add.bind(2, std::string_view(text("name")));
        add.bind(3, client.at("uid").get<std::int64_t>());
        add.bind(4, std::string_view(text("model")));
        add.bind(5, client.at("batch").get<std::int64_t>());
        bindTexts(add, 6, {text("priority"), text("path"), text("arrival")});
        if (client.at("output_hash").is_string()) {
            add.bind(9, std::string_view(text("output_hash")));
        } else {
            add.bindNull(9);
        }
        add.run();
    }
}

void addAxes(RunWriter& run, const Sweep& sweep, std::size_t row) {
    Statement add(run.database(), "INSERT INTO point_axis VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        add.bind(1, run.id());
        add.bind(2, static_cast<std::int64_t>(row));
        bindTexts(add, 3, {sweep.axes[i], sweep.rows[row].labels[i]});
        add.run();
    }
}

/// Adds points and their figures.
class PointWriter {
  public:
    explicit PointWriter(RunWriter& run)
        : run_(run),
          addPoint_(run.database(), "INSERT INTO point VALUES (?, ?, ?, ?, ?)"),
          addValue_(run.database(), "INSERT INTO point_value VALUES (?, ?, ?, ?, ?)") {}

    void add(const SweepPoint& point) {
        bindKey(addPoint_, point);
        if (point.answer.error.empty()) {
            addPoint_.bindNull(4);
        } else {
            addPoint_.bind(4, std::string_view(point.answer.error));
        }
        addPoint_.bind(5, point.answer.failedExecutions);
        addPoint_.run();
        for (const Figure& figure : point.answer.figures) {
            if (figure.value) {
                bindKey(addValue_, point);
                addValue_.bind(4, run_.figure(figureNameOf(figure.name)));
                addValue_.bind(5, *figure.value);
                addValue_.run();
            }
        }
    }

  private:
    void bindKey(Statement& statement, const SweepPoint& point) const {
        statement.bind(1, run_.id());
        statement.bind(2, static_cast<std::int64_t>(point.row));
        statement.bind(3, point.seed);
    }

    RunWriter& run_;
    Statement addPoint_;
    Statement addValue_;
};

}  // namespace

void storeRun(ResultStore& store, const std::string& label, const RunReport& report,
              const std::vector<JudgedCase>& cases) {
    const Json metrics = metricsObject(report);
    RunWriter run(store, {.command = "run",
                          .subject = report.scenario.name,
                          .label = label,
                          .config = metrics.at("config").dump(),
                          .seed = report.scenario.seed});
    for (const auto& [name, value] : runMetrics(metrics)) {
        run.addMetric(name, value);
    }
    addClients(run, metrics.at("clients"));
    run.addCsv("layer", layersCsv(report));
    run.addCsv("job", jobsCsv(report));
    addCases(run, cases);
    run.commit();
}

void storeLiveRun(ResultStore& store, const std::string& label, const RunReport& report,
                  const std::vector<JudgedCase>& cases) {
    RunWriter run(store, {.command = "live",
                          .subject = report.scenario.name,
                          .label = label,
                          .config = configJson(report.config).dump(),
                          .seed = report.scenario.seed});
    run.addCsv("job", jobsCsv(report));
    addCases(run, cases);
    run.commit();
}

void storeSweep(ResultStore& store, const std::string& label, const Sweep& sweep,
                const SweepOutcome& outcome, const std::vector<JudgedCase>& cases) {
    RunWriter run(store, {.command = "sweep", .subject = sweep.name, .label = label});
    PointWriter points(run);
    std::set<std::size_t> rows;
    for (const SweepPoint& point : outcome.points) {
        if (point.isDone) {
            if (rows.insert(point.row).second) {
                addAxes(run, sweep, point.row);
            }
            points.add(point);
        }
    }
    addCases(run, cases);
    run.commit();
}

void storeChecks(ResultStore& store, const std::string& label, const std::vector<Check>& checks,
                 const std::vector<JudgedCase>& cases) {
    RunWriter run(store, {.command = "validate", .subject = "references", .label = label});
    Statement add(run.database(),
                  "INSERT INTO check_result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < checks.size(); ++i) {
        const Check& check = checks[i];
        add.bind(1, run.id());
        add.bind(2, static_cast<std::int64_t>(i));
        bindTexts(add, 3, {checkKindName(check.kind), check.rung, check.subject, check.quantity});
        add.bind(7, check.model);
        add.bind(8, check.reference);
        add.bind(9, check.tolerance);
        bindTexts(add, 10, {verdictName(check.verdict()), check.explanation()});
        add.run();
    }
    addCases(run, cases);
    run.commit();
}

void storeCases(ResultStore& store, const std::string& label, const std::string& command,
                const std::string& subject, const std::vector<JudgedCase>& cases) {
    RunWriter run(store, {.command = command, .subject = subject, .label = label});
    addCases(run, cases);
    run.commit();
}

}  // namespace vnpu::sim
