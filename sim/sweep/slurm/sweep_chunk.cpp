// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/slurm/sweep_chunk.h"

#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/report/write_report.h"
#include "sim/sweep/content_hash.h"
#include "sim/sweep/process_runner.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

struct Chunk {
    ChunkSettings settings;
    std::vector<SweepJob> jobs;
};

Json jsonOf(const ChunkSettings& settings) {
    Json json = {{"program", settings.program},
                 {"store", settings.store.string()},
                 {"jobs", settings.jobs}};
    if (settings.limit) {
        json["limit_ns"] = settings.limit->count();
    }
    return json;
}

ChunkSettings settingsFrom(const Json& json) {
    ChunkSettings settings{.program = json.at("program").get<std::string>(),
                           .store = json.at("store").get<std::string>(),
                           .jobs = json.at("jobs").get<unsigned>()};
    if (json.contains("limit_ns")) {
        settings.limit = std::chrono::nanoseconds(json.at("limit_ns").get<std::int64_t>());
    }
    return settings;
}

Chunk readChunk(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string line;
    std::size_t number = 1;
    try {
        std::getline(in, line);
        Chunk chunk{.settings = settingsFrom(Json::parse(line)), .jobs = {}};
        while (std::getline(in, line)) {
            ++number;
            const Json json = Json::parse(line);
            chunk.jobs.push_back({workerRequestFrom(json.at("request").dump()),
                                  json.at("hash").get<std::string>()});
        }
        return chunk;
    } catch (const std::exception& error) {
        throw InputError(fmt::format("{}:{}: {}, expected the points of a task of a sweep",
                                     file.string(), number, error.what()));
    }
}

/// Held as long as the object lives. After Slurm has lost a node, two tasks may have the same
/// chunk, and only one of them is to compute. A file system without locks lets both compute the
/// same answers.
class ChunkLock {
  public:
    explicit ChunkLock(const std::filesystem::path& file)
        : file_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
        while (file_.ok() && flock(file_.get(), LOCK_EX) != 0 && errno == EINTR) {
        }
    }

  private:
    const android::base::unique_fd file_;
};

}  // namespace

void writeChunk(const std::filesystem::path& file, const ChunkSettings& settings,
                std::span<const SweepJob> jobs) {
    std::string text = jsonOf(settings).dump() + "\n";
    for (const SweepJob& job : jobs) {
        text += fmt::format(R"({{"hash":"{}","request":{}}})", job.hash, toJson(job.request));
        text += "\n";
    }
    writeFile(file, text);
}

std::filesystem::path failureFile(const std::filesystem::path& folder, const std::string& hash) {
    return folder / (hash + ".error");
}

ExitCode runChunk(const std::filesystem::path& file, const std::string& program) {
    const ChunkLock lock(file);
    const Chunk chunk = readChunk(file);
    if (chunk.settings.program != programHash(program)) {
        throw InputError(fmt::format(
                "{}: written by another version of the program, expected the same file on all "
                "machines",
                file.string()));
    }
    const PointStore store(chunk.settings.store);
    std::vector<SweepJob> missing;
    for (const SweepJob& job : chunk.jobs) {
        if (!store.find(job.hash)) {
            missing.push_back(job);
        }
    }
    ExitCode code = ExitCode::kDone;
    ProcessRunner runner(ProcessPool(program, chunk.settings.jobs, nullptr, chunk.settings.limit));
    runner.run(missing, store, [&](std::size_t i, const WorkerAnswer& answer) {
        if (!answer.error.empty()) {
            writeWhole(failureFile(file.parent_path(), missing[i].hash), answer.error);
            fmt::print(stderr, "vnpu: point {}: {}\n", missing[i].hash, answer.error);
            code = ExitCode::kFailed;
        }
    });
    return code;
}

}  // namespace vnpu::sim
