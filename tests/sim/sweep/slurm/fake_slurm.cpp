// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/sweep/slurm/fake_slurm.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "sim/base/split.h"

namespace vnpu::test {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// FOLDER stands for the folder of the object. A task is in the queue as long as queue/NAME.INDEX
/// exists.
constexpr const char* kSbatch = R"(#!/bin/sh
for word; do
    case "$word" in
        --job-name=*) name=${word#*=} ;;
        --array=0-*) last=${word#--array=0-}; last=${last%%%*} ;;
        --wrap=*) command=${word#--wrap=} ;;
        --output=*) log=${word#--output=}; log=${log%_%a.txt} ;;
        --chdir=*) cd "${word#--chdir=}" || exit 1 ;;
    esac
done
if [ -e FOLDER/refuse ]; then cat FOLDER/refuse >&2; exit 1; fi
number=$(($(ls FOLDER/calls | wc -l) + 1))
for word; do echo "$word"; done > FOLDER/calls/$number
index=0
while [ $index -le $last ]; do touch "FOLDER/queue/$name.$index"; index=$((index + 1)); done
(
    index=0
    while [ $index -le $last ]; do
        while [ -e FOLDER/hold ]; do sleep 0.02; done
        if [ -e FOLDER/lose ]; then
            rm FOLDER/lose
            echo "slurmstepd: error: *** NODE FAILURE ***" >> "${log}_$index.txt"
        else
            SLURM_ARRAY_TASK_ID=$index sh -c "$command" >> "${log}_$index.txt" 2>&1
        fi
        rm "FOLDER/queue/$name.$index"
        index=$((index + 1))
    done
) < /dev/null > /dev/null 2>&1 &
echo "$number"
)";

constexpr const char* kSqueue = R"(#!/bin/sh
if [ -e FOLDER/silent ]; then echo "squeue: error: no controller" >&2; exit 1; fi
for word; do case "$word" in --name=*) names=,${word#--name=}, ;; esac; done
for task in $(ls FOLDER/queue); do
    case "$names" in *,${task%.*},*) echo "${task%.*}|${task##*.}|R|None" ;; esac
done
exit 0
)";

std::string placed(std::string script, const std::string& folder) {
    const std::string word = "FOLDER";
    for (std::size_t at = script.find(word); at != std::string::npos; at = script.find(word, at)) {
        script.replace(at, word.size(), folder);
    }
    return script;
}

}  // namespace

FakeSlurm::FakeSlurm() {
    fs::create_directory(folder_ / "queue");
    fs::create_directory(folder_ / "calls");
    fs::create_directory(folder_ / "bin");
    for (const auto& [name, script] :
         {std::pair{"sbatch", kSbatch}, std::pair{"squeue", kSqueue}}) {
        const fs::path file = folder_ / "bin" / name;
        writeFile(file, placed(script, folder_.path().string()));
        fs::permissions(file, fs::perms::owner_all);
    }
    path_ = std::getenv("PATH");
    setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
}

FakeSlurm::~FakeSlurm() {
    clear("hold");
    waitForTasks();
    setenv("PATH", path_.c_str(), 1);
}

void FakeSlurm::set(const std::string& file, const std::string& text) const {
    writeFile(folder_ / file, text);
}

void FakeSlurm::clear(const std::string& file) const {
    fs::remove(folder_ / file);
}

bool FakeSlurm::has(const std::string& file) const {
    return fs::exists(folder_ / file);
}

std::vector<std::vector<std::string>> FakeSlurm::submissions() const {
    std::vector<std::vector<std::string>> calls;
    for (std::size_t number = 1; fs::exists(folder_ / "calls" / std::to_string(number)); ++number) {
        calls.push_back(sim::split(readFile(folder_ / "calls" / std::to_string(number)), '\n'));
    }
    return calls;
}

std::size_t FakeSlurm::taskCount() const {
    std::size_t count = 0;
    for (const auto& words : submissions()) {
        for (const std::string& word : words) {
            const std::string option = "--array=0-";
            if (word.starts_with(option)) {
                count += std::stoul(word.substr(option.size())) + 1;
            }
        }
    }
    return count;
}

void FakeSlurm::waitForTasks() const {
    waitUntil([&] { return fs::is_empty(folder_ / "queue"); });
}

void waitUntil(const std::function<bool()>& isTrue) {
    const auto end = std::chrono::steady_clock::now() + 2min;
    while (!isTrue()) {
        REQUIRE_MESSAGE(std::chrono::steady_clock::now() < end, "not within two minutes");
        std::this_thread::sleep_for(20ms);
    }
}

}  // namespace vnpu::test
