// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/slurm/array_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "sim/report/write_report.h"

namespace vnpu::sim {

namespace {

namespace fs = std::filesystem;

constexpr const char* kList = "points.txt";    // lines "TASK HASH"
constexpr const char* kJob = "job.txt";        // the number of the job
constexpr std::size_t kMostTasks = 1'000'000;  // chosen: above any list that create() writes

std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

fs::path ArrayFolder::chunkFile(const std::string& index) const {
    return path_ / fmt::format("chunk_{}.jsonl", index);
}

ArrayFolder ArrayFolder::create(const fs::path& path, const ChunkSettings& settings,
                                std::span<const SweepJob> jobs, std::size_t chunk) {
    ArrayFolder array(path);
    if (const std::error_code error = makeFolder(path)) {
        throw std::runtime_error(fmt::format("can't make {}: {}", path.string(), error.message()));
    }
    std::string list;
    for (std::size_t begin = 0; begin < jobs.size(); begin += chunk) {
        const auto part = jobs.subspan(begin, std::min(chunk, jobs.size() - begin));
        const std::size_t task = array.tasks_.size();
        writeChunk(array.chunkFile(fmt::format("{}", task)), settings, part);
        array.tasks_.emplace_back();
        for (const SweepJob& job : part) {
            array.tasks_.back().push_back(job.hash);
            list += fmt::format("{} {}\n", task, job.hash);
        }
    }
    writeWhole(path / kList, list);  // last: a folder without a list is no array
    return array;
}

void ArrayFolder::readList() {
    std::ifstream in(path_ / kList);
    std::size_t task = 0;
    std::string hash;
    while (in >> task >> hash && task < kMostTasks) {
        tasks_.resize(std::max(tasks_.size(), task + 1));
        tasks_[task].push_back(hash);
    }
}

std::vector<ArrayFolder> ArrayFolder::findIn(const fs::path& folder) {
    std::vector<ArrayFolder> arrays;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (fs::exists(entry.path() / kList, ignored)) {
            arrays.push_back(ArrayFolder(entry.path()));
            arrays.back().readList();
        }
    }
    std::ranges::sort(arrays, {}, &ArrayFolder::name);
    return arrays;
}

void ArrayFolder::setSubmitted(const std::string& number) const {
    writeWhole(path_ / kJob, number + "\n");
}

bool ArrayFolder::isSubmitted() const {
    return fs::exists(path_ / kJob);
}

std::string ArrayFolder::failureOf(std::size_t task, const std::string& hash) const {
    if (const std::string error = textOf(failureFile(path_, hash)); !error.empty()) {
        return error;
    }
    const std::string text = textOf(log().string() + fmt::format("_{}.txt", task));
    const std::string last = lastLine(text);
    return fmt::format("its Slurm task ended without an answer{}", last.empty() ? "" : ": " + last);
}

void ArrayFolder::remove(bool keepLogs) const {
    std::error_code ignored;
    if (!keepLogs) {
        fs::remove_all(path_, ignored);
        return;
    }
    fs::remove(path_ / kList, ignored);
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        fs::remove(chunkFile(fmt::format("{}", task)), ignored);
    }
}

}  // namespace vnpu::sim
