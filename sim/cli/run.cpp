// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "sim/base/duration.h"
#include "sim/base/progress_line.h"
#include "sim/ci/case_options.h"
#include "sim/cli/command_options.h"
#include "sim/config/load_config.h"
#include "sim/live/live_scenario.h"
#include "sim/report/column_legend.h"
#include "sim/report/html/run_page.h"
#include "sim/report/run_cases.h"
#include "sim/report/run_report.h"
#include "sim/report/timeline_svg.h"
#include "sim/report/write_report.h"
#include "sim/results/store_options.h"
#include "sim/scenario/run_scenario.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/sweep/overrides.h"
#include "sim/sweep/worker.h"
#include "sim/trace/statistics.h"
#include "sim/trace/trace_files.h"

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kTimelineNs =
        10'000'000;  // chosen: 10 ms, a few inferences on a small device

struct RunCommandOptions {
    std::string scenario;
    std::optional<std::uint64_t> seed;
    std::string out;
    std::string config;
    std::vector<std::string> settings;  // "KEY=VALUE"
    std::vector<std::string> faults;    // "KEY = VALUE, ..."
    std::string traces;                 // separated by commas
    std::string vcdFrom = "0 ns";
    std::string vcdTo;
    bool timingOnly = false;
    bool noIsolated = false;
    bool noHtml = false;
    bool json = false;
    bool isLive = false;
    bool isQuiet = false;
    bool isExplaining = false;
    BusToolOptions busTools;
    std::string pace = "max";
    CaseOptions cases;
    StoreOptions store;
};

std::uint64_t durationOf(const char* option, const std::string& text) {
    const std::optional<std::uint64_t> parsed = parseDuration(text);
    if (!parsed) {
        throw InputError(fmt::format("{} is \"{}\", expected {}", option, text, kDurationForm));
    }
    return *parsed;
}

/// The options --set and --fault as they were given.
std::string changesText(const RunCommandOptions& options) {
    std::string text;
    for (const std::string& setting : options.settings) {
        text += fmt::format("{}--set {}", text.empty() ? "" : " ", setting);
    }
    for (const std::string& fault : options.faults) {
        text += fmt::format("{}--fault '{}'", text.empty() ? "" : " ", fault);
    }
    return text;
}

/// The message without the line: lines of a changed text are not those of its file.
std::string withoutLine(const std::string& message, const std::string& file) {
    const std::size_t begin = file.size() + 1;
    const std::size_t end = message.find_first_not_of("0123456789", begin);
    const bool hasLine = message.starts_with(file + ":") && end != message.npos && end != begin &&
                         message[end] == ':';
    return hasLine ? file + message.substr(end) : message;
}

/// The scenario with the changes of --set and --fault.
ScenarioText sourceOf(const RunCommandOptions& options) {
    ScenarioText source = readScenarioText(options.scenario);
    if (options.settings.empty() && options.faults.empty()) {
        return source;
    }
    parseScenario(source.text, source.file);  // a mistake from here on is one of the options
    source.text = withSettings(source.text, source.file, options.settings);
    source.text = withFaults(source.text, source.file, options.faults);
    try {
        parseScenario(source.text, source.file);
    } catch (const InputError& error) {
        throw InputError(fmt::format("with {}: {}", changesText(options),
                                     withoutLine(error.what(), source.file)));
    }
    return source;
}

VcdWriter::Window vcdWindowOf(const RunCommandOptions& options) {
    VcdWriter::Window window;
    window.fromNs = durationOf("--vcd-from", options.vcdFrom);
    window.toNs = options.vcdTo.empty() ? UINT64_MAX : durationOf("--vcd-to", options.vcdTo);
    if (window.toNs <= window.fromNs) {
        throw InputError(
                fmt::format("--vcd-to is \"{}\", expected a time after --vcd-from (\"{}\")",
                            options.vcdTo, options.vcdFrom));
    }
    return window;
}

std::string progressText(const Progress& progress) {
    return fmt::format("{:.1f} of {:.0f} ms simulated, {} executions",
                       static_cast<double>(progress.simulatedNs) * 1e-6,
                       static_cast<double>(progress.durationNs) * 1e-6, progress.executions);
}

/// The isolated time of each client's model, from runs without data in processes of their own.
IsolatedTimes isolatedTimes(const RunCommandOptions& options, const ScenarioText& source,
                            const Scenario& scenario) {
    if (options.noIsolated) {
        return {};
    }
    ProcessPool pool(kOwnProgram, defaultJobs());
    return measureIsolated(scenario,
                           {.scenario = source.text,
                            .file = source.file,
                            .seed = scenario.seed,
                            .config = options.config},
                           pool);
}

hw::NpuConfig configOf(const RunCommandOptions& options, const Scenario& scenario) {
    hw::NpuConfig config;
    try {
        config = loadConfig(options.config.empty() ? scenario.configSource : options.config);
    } catch (const InputError& error) {
        if (!options.config.empty()) {
            throw;
        }
        throw InputError(
                fmt::format("{}: scenario.config: {}", scenario.configPlace, error.what()));
    }
    return withOverrides(std::move(config), scenario.overrides);
}

std::filesystem::path folderOf(const RunCommandOptions& options, const Scenario& scenario) {
    return options.out.empty() ? std::filesystem::path("out") / scenario.name
                               : std::filesystem::path(options.out);
}

/// Whether the VCD covers the complete run.
bool isWholeVcd(const RunCommandOptions& options) {
    const VcdWriter::Window window = vcdWindowOf(options);
    return window.fromNs == 0 && window.toNs == UINT64_MAX;
}

/// Throws InputError for options that a live run does not support.
void checkLive(const RunCommandOptions& options, const Scenario& scenario) {
    if (options.json || options.timingOnly || scenario.timingOnly) {
        throw InputError("--live does not support --json and timing only, expected none of these");
    }
    const BusToolOptions& tools = options.busTools;
    if (tools.isLinting || !tools.accessLog.empty() || !tools.recordFile.empty()) {
        throw InputError(
                "--live does not support --lint, --log-accesses and --record, expected none of "
                "these");
    }
    TraceFiles::checkKinds(options.traces);
    if (!isWholeVcd(options)) {
        throw InputError("--live does not support --vcd-from and --vcd-to, expected none of these");
    }
}

void beginCases(const Scenario& scenario, CaseSession& session) {
    session.begin({.suite = scenario.name, .name = "run"});
}

void endCases(const RunReport& report, CaseSession& session) {
    for (const CaseOutcome& outcome : clientCases(report)) {
        session.add(outcome);
    }
    session.end(wholeCase(report));
    for (const JudgedCase& one : session.cases()) {
        if (one.verdict == CaseVerdict::kFailed) {
            fmt::print(stderr, "vnpu: {}: {}\n", one.outcome.name.text(), one.explanation);
        }
    }
}

/// The meanings of the columns of the table of clients, or the option that prints them.
std::string legendOf(const RunCommandOptions& options) {
    if (options.isExplaining) {
        return "\n" + clientLegend();
    }
    return options.isQuiet ? "" : "\n--explain: what the columns mean\n";
}

/// Runs the clients on the steady clock; writes the reports that need only what clients observe.
void runLive(const RunCommandOptions& options, const ScenarioText& source, CaseSession& session) {
    Scenario scenario = parseScenario(source.text, source.file, {.seed = options.seed});
    checkLive(options, scenario);
    std::optional<ResultStore> store = openStore(options.store);
    beginCases(scenario, session);
    const hw::NpuConfig config = configOf(options, scenario);
    const bool needsIsolated =
            std::any_of(scenario.clients.begin(), scenario.clients.end(),
                        [](const ClientSpec& client) { return client.deadlineFactor > 0.0; });
    const IsolatedTimes isolated =
            needsIsolated ? isolatedTimes(options, source, scenario) : IsolatedTimes{};
    resolveDeadlines(scenario, isolated);
    const std::filesystem::path folder = folderOf(options, scenario);
    makeOutFolder(folder);
    std::string deviceFile;
    if (!scenario.isDefault()) {
        // The scenario itself may come from a pipe, which only one process can read.
        deviceFile = folder / "device.toml";
        writeFile(deviceFile, source.text);
    }
    const ScenarioOutcome outcome = runScenarioLive(
            scenario, {.program = kOwnProgram,
                       .source = source,
                       .seed = options.seed,
                       .config = options.config.empty() ? scenario.configSource : options.config,
                       .deviceFile = deviceFile,
                       .pace = options.pace,
                       .traces = options.traces,
                       .traceFolder = folder,
                       .isolated = isolated});
    std::vector<ClientInfo> clients;
    for (const ClientSpec& client : scenario.clients) {
        clients.push_back(
                {client.name, client.uid, client.model, std::string(nameOf(client.priority)), {}});
    }
    Statistics statistics;
    statistics.onStart(config, clients);
    const RunReport report{scenario, config, outcome, statistics, isolated};
    writeFile(folder / "jobs.csv", jobsCsv(report));
    fmt::print("live; jobs.csv in {}\n\n{}{}", folder.string(), liveClientTable(report),
               legendOf(options));
    endCases(report, session);
    if (store) {
        storeLiveRun(*store, options.store.label, report, session.cases());
    }
}

/// Writes report.html; says on stderr what it does not hold.
void writePage(const RunReport& report, const TimelineColumns& timeline,
               const std::filesystem::path& folder) {
    constexpr std::size_t kMaxBytes = 64'000'000;  // chosen: a browser opens it within seconds
    const std::string page = runPage(report, timeline);
    if (page.size() > kMaxBytes) {
        fmt::print(stderr, "vnpu: report.html would have {} MB and is not written\n",
                   page.size() / 1'000'000);
        return;
    }
    writeFile(folder / "report.html", page);
    if (timeline.keptUntilNs()) {
        fmt::print(stderr,
                   "vnpu: the timeline of report.html ends at {:.3f} ms, after the first {} of {} "
                   "events; all other parts cover the whole run\n",
                   static_cast<double>(*timeline.keptUntilNs()) * 1e-6, timeline.kept(),
                   timeline.kept() + timeline.leftOut());
    }
}

void runVirtual(const RunCommandOptions& options, const ScenarioText& source,
                CaseSession& session) {
    Scenario scenario = parseScenario(source.text, source.file, {.seed = options.seed});
    refuseProcesses(scenario);
    std::optional<ResultStore> store = openStore(options.store);
    beginCases(scenario, session);
    hw::NpuConfig config = configOf(options, scenario);
    config.timingOnly = options.timingOnly || scenario.timingOnly;
    const std::filesystem::path folder = folderOf(options, scenario);
    makeOutFolder(folder);
    const IsolatedTimes isolated = isolatedTimes(options, source, scenario);
    resolveDeadlines(scenario, isolated);

    Statistics statistics;
    TimelineSvg timeline(kTimelineNs);
    TimelineColumns columns;
    RunOptions runOptions;
    runOptions.sinks = {&statistics, &timeline};
    if (!options.noHtml) {
        runOptions.sinks.push_back(&columns);
    }
    runOptions.busTools = options.busTools;
    TraceFiles traces(options.traces, folder, vcdWindowOf(options));
    traces.addSinks(runOptions.sinks);
    ScenarioOutcome outcome;
    {
        ProgressLine line(options.isQuiet);
        runOptions.onProgress = [&line](const Progress& progress) {
            line.show([&] { return progressText(progress); });
        };
        outcome = runScenario(scenario, config, runOptions);
    }
    traces.close();
    const RunReport report{scenario, config, outcome, statistics, isolated};
    writeReports(report, folder);
    writeFile(folder / "timeline.svg", timeline.render());
    if (!options.noHtml) {
        writePage(report, columns, folder);
    }
    if (options.json) {
        fmt::print("{}", metricsJson(report));
    } else {
        fmt::print("reports in {}\n\n{}{}", folder.string(), clientTable(report),
                   legendOf(options));
    }
    endCases(report, session);
    if (store) {
        storeRun(*store, options.store.label, report, session.cases());
    }
}

ExitCode runCommand(const RunCommandOptions& options) {
    CaseSession session("run", options.cases);
    return runSession(session, options.json, [&] {
        const ScenarioText source = sourceOf(options);
        try {
            options.isLive ? runLive(options, source, session)
                           : runVirtual(options, source, session);
        } catch (const InputError& error) {
            throw InputError(changesText(options).empty() ? std::string(error.what())
                                                          : withoutLine(error.what(), source.file));
        }
    });
}

}  // namespace

void addRunCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<RunCommandOptions>();
    CLI::App& command = addCommand(app, action, "run", "Run a scenario and write its reports",
                                   options, runCommand);
    const auto text = [&](const char* name, std::string& value, const char* type,
                          const char* help) {
        return command.add_option(name, value, help)->type_name(type);
    };
    text("scenario", options->scenario, "SCENARIO.toml", "A shipped scenario or a TOML file")
            ->required();
    command.add_option("--seed", options->seed,
                       "Seed of inputs, zoo weights and random arrivals (default: the "
                       "scenario's)");
    text("--out", options->out, "DIR", "Folder for the reports (default: out/<scenario>)");
    text("--config", options->config, "NAME|FILE", "Device in place of the scenario's");
    command.add_option("--set", options->settings,
                       "Change a value of the scenario, with a key as in axes of sweeps: "
                       "client.camera.rate_hz=20; may be given several times")
            ->type_name("KEY=VALUE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--fault", options->faults,
                       "Inject a fault, with the keys of [[fault]] in scenarios: kind = "
                       "\"engine-slow\", operation = 3, factor = 1.1; may be given several times")
            ->type_name("KEY=VALUE,...")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    text("--trace", options->traces, "KIND,...", "Traces to write: vcd, perfetto or both");
    text("--vcd-from", options->vcdFrom, "TIME",
         "Start of the VCD, in device time since power-on, such as \"10 ms\"");
    text("--vcd-to", options->vcdTo, "TIME", "End of the VCD (default: the end of the run)");
    command.add_flag("--timing-only", options->timingOnly, "Simulate times without data");
    command.add_flag("--no-isolated", options->noIsolated,
                     "Do not measure the isolated time of each model; figures that need it are "
                     "left out");
    command.add_flag("--no-html", options->noHtml,
                     "Do not write report.html, the page with the timeline");
    addJson(command, options->json, "Print metrics.json in place of the table");
    command.add_flag("--explain", options->isExplaining,
                     "Print what the columns of the table mean");
    addQuiet(command, options->isQuiet);
    addBusTools(command, options->busTools);
    command.add_flag("--live", options->isLive,
                     "Run in wall time on a service; needed for clients in processes of their own");
    command.add_option("--pace", options->pace, "With --live: max, realtime, or a factor")
            ->capture_default_str();
    addStoreOptions(command, options->store);
    addCaseOptions(command, options->cases, {.isSelectable = false, .isRepeatable = false});
}

}  // namespace vnpu::sim
