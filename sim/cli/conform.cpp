// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/client/driver_log.h"
#include "sim/config/load_config.h"
#include "sim/conform/conformance.h"
#include "sim/conform/name_filter.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kAppUid = 10000;  // source: Android, AID_APP_START

struct ConformOptions {
    std::string folder;
    std::string filter;
    std::string path = "sync";
    std::string config = "edge";
    bool verbose = false;
    bool json = false;
};

/// One example's outcome that is worth telling.
struct Note {
    std::string file, example, detail;
};

struct Tally {
    std::size_t passed = 0;
    std::vector<Note> failed, unsupported;
    std::map<std::string, std::size_t> unsupportedOperations;

    std::string line() const {
        return fmt::format("{} passed, {} failed, {} unsupported", passed, failed.size(),
                           unsupported.size());
    }
};

/// One line on a terminal that follows the run; nothing elsewhere.
class Progress {
  public:
    explicit Progress(std::size_t files) : files_(files), isShown_(isatty(STDERR_FILENO) == 1) {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::size_t file, const std::string& name, const Tally& tally) const {
        if (isShown_) {
            fmt::print(stderr, "\r\033[K{}/{} {}: {}", file + 1, files_, name, tally.line());
            std::fflush(stderr);
        }
    }
    void clear() const {
        if (isShown_) {
            fmt::print(stderr, "\r\033[K");
        }
    }

  private:
    std::size_t files_;
    bool isShown_;
};

void count(const Note& note, const ExampleOutcome& outcome, const DriverLog& log, Tally& tally) {
    switch (outcome.verdict) {
        case Verdict::kPassed:
            ++tally.passed;
            break;
        case Verdict::kFailed:
            tally.failed.push_back({note.file, note.example,
                                    log.lines().empty()
                                            ? outcome.detail
                                            : outcome.detail + " (" + log.lastLine() + ")"});
            break;
        case Verdict::kUnsupported:
            tally.unsupported.push_back({note.file, note.example, outcome.detail});
            ++tally.unsupportedOperations[outcome.unsupportedOperation];
            break;
    }
}

/// All examples of all files on one device, one after the other.
Tally conformAll(const ConformOptions& options, const std::vector<std::string>& files) {
    const NameFilter filter(options.filter, "--filter");
    const ExecutionPath path = options.path == "async"    ? ExecutionPath::kAsync
                               : options.path == "fenced" ? ExecutionPath::kFenced
                               : options.path == "burst"  ? ExecutionPath::kBurst
                                                          : ExecutionPath::kSync;
    const Progress progress(files.size());
    Tally tally;
    std::string current;
    DriverLog log;
    Platform platform({.config = loadConfig(options.config), .driverObserver = &log});
    platform.addClient("conform", kAppUid, [&](ClientContext& context) {
        for (std::size_t i = 0; i < files.size(); ++i) {
            const std::string name = std::filesystem::path(files[i]).stem().string();
            current = name;
            progress.show(i, name, tally);
            for (const Example& example : readVectorFile(files[i]).examples) {
                if (filter.fits(example.name)) {
                    current = example.name;
                    log.clear();
                    const ExampleOutcome outcome = runExample(context, example, path);
                    count({files[i], example.name, ""}, outcome, log, tally);
                }
            }
        }
    });
    try {
        platform.run();
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(
                fmt::format("at {}, after {}: {}", current, tally.line(), error.what()));
    }
    return tally;
}

Json notesJson(const std::vector<Note>& notes) {
    Json json = Json::array();
    for (const Note& note : notes) {
        json.push_back({{"file", note.file}, {"model", note.example}, {"detail", note.detail}});
    }
    return json;
}

void printJson(const Tally& tally) {
    Json json;
    json["passed"] = tally.passed;
    json["failed"] = tally.failed.size();
    json["unsupported"] = tally.unsupported.size();
    json["failures"] = notesJson(tally.failed);
    json["unsupported_models"] = notesJson(tally.unsupported);
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void printText(const ConformOptions& options, const Tally& tally) {
    if (options.verbose) {
        for (const Note& note : tally.unsupported) {
            fmt::print("unsupported {}: {}\n", note.example, note.detail);
        }
        for (const auto& [operation, models] : tally.unsupportedOperations) {
            fmt::print("unsupported in {} models: {}\n", models, operation);
        }
    }
    for (const Note& note : tally.failed) {
        fmt::print("FAILED {}: {}\n", note.example, note.detail);
    }
    fmt::print("{}\n", tally.line());
}

ExitCode conform(const ConformOptions& options) {
    const std::vector<std::string> files = findVectorFiles(options.folder);
    const Tally tally = conformAll(options, files);
    if (options.json) {
        printJson(tally);
    } else {
        printText(options, tally);
    }
    return tally.failed.empty() ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace

void addConformCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ConformOptions>();
    CLI::App* command = app.add_subcommand("conform", "Run NNAPI example models and compare");
    command->add_option("folder", options->folder, "Folder with .cbor vectors, or one file")
            ->type_name("DIR")
            ->required();
    command->add_option("--filter", options->filter, "Only models whose name matches")
            ->type_name("RE");
    command->add_option("--path", options->path, "How executions reach the driver")
            ->check(CLI::IsMember({"sync", "async", "fenced", "burst"}))
            ->capture_default_str();
    command->add_option("--config", options->config, "Configuration by name or TOML file")
            ->capture_default_str();
    command->add_flag("-v,--verbose", options->verbose, "List what is unsupported, and why");
    command->add_flag("--json", options->json, "Print a JSON object");
    command->callback([options, &action] { action = [options] { return conform(*options); }; });
}

}  // namespace vnpu::sim
