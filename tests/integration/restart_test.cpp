// SPDX-License-Identifier: Apache-2.0
// An execution that is aborted at some point and restarted, on the device alone: streams of the
// compiler, and a script in place of the firmware. Control flow belongs to the firmware and is not
// covered.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "sim/conform/conformance.h"
#include "sim/conform/vector_model.h"
#include "tests/driver/compiler/test_device.h"
#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::test;
namespace hw = vnpu::hw;
namespace driver = vnpu::driver;
namespace sim = vnpu::sim;
using Bytes = std::vector<std::byte>;

// chosen: enough for the output of every example
constexpr std::uint64_t kOpenOutputBytes = 65'536;
constexpr std::size_t kLeastOperations = 99;  // all but IF, WHILE and one that never ends

/// A compiled example with its memory.
struct Job {
    std::string name;
    CommandList commands;
    std::vector<Region> regions;
    std::vector<std::pair<std::uint64_t, Bytes>> memory;           // initial contents
    std::vector<std::pair<std::uint64_t, std::uint64_t>> results;  // offset and size
    std::uint64_t shapes = 0, shapeBytes = 0;                      // cleared before each run
};

CommandList listOf(const driver::CompiledModel& model) {
    CommandList list;
    hw::CommandReader reader(model.commands);
    hw::CommandView view;
    while (reader.next(view)) {
        if (view.header->engine != hw::Engine::kController) {
            const std::byte* begin = model.commands.data() + view.offset;
            list.addBytes(view.header->engine, {begin, begin + view.header->sizeBytes});
        }
    }
    return list;
}

/// The initial bytes of a region.
Bytes contentsOf(const driver::Region& region, const driver::CompiledModel& model,
                 const Bytes& pool, const sim::Example& example) {
    Bytes bytes;
    switch (region.kind) {
        case driver::RegionKind::kDriverConstants:
            bytes = model.constants;
            break;
        case driver::RegionKind::kConstantPool:
            bytes = pool;
            break;
        case driver::RegionKind::kInput:
            bytes = example.main.operands[example.main.inputs[region.index]].data.value_or(Bytes{});
            break;
        case driver::RegionKind::kScratch:
            break;
        case driver::RegionKind::kOutput:
            bytes.resize(model.isDynamicOutput(region.index) ? kOpenOutputBytes : region.sizeBytes);
            break;
    }
    bytes.resize(std::max<std::uint64_t>(bytes.size(), region.sizeBytes));
    return bytes;
}

Bytes poolOf(const sim::Example& example, const sim::nn::Model& model) {
    Bytes pool;
    for (std::size_t i = 0; i < example.main.operands.size(); ++i) {
        const auto& operand = example.main.operands[i];
        if (operand.lifetime == sim::nn::OperandLifeTime::CONSTANT_REFERENCE) {
            const auto& location = model.main.operands[i].location;
            pool.resize(std::max<std::size_t>(pool.size(), location.offset + location.length));
            std::copy_n(operand.data->begin(), location.length, pool.begin() + location.offset);
        }
    }
    return pool;
}

Job jobOf(const sim::Example& example) {
    const sim::nn::Model model = sim::makeModel(example);
    const Bytes pool = poolOf(example, model);
    const std::vector<driver::PoolView> pools(model.pools.size(), pool);
    driver::CompileOptions options;
    for (const std::uint32_t i : example.main.inputs) {
        options.omittedInputs.push_back(!example.main.operands[i].data);
    }
    const auto compiled = driver::compile(model, pools, driver::test::edgeDevice(), options);
    REQUIRE_MESSAGE(compiled.has_value(), example.name);
    Job job;
    job.name = example.name;
    job.commands = listOf(*compiled);
    std::uint64_t offset = 0;
    for (const driver::Region& region : compiled->regions) {
        Bytes bytes = contentsOf(region, *compiled, pool, example);
        const std::uint64_t flags = region.isWritable ? 0 : hw::kRegionReadOnly;
        job.regions.push_back({(kRegionVa + offset) | flags, bytes.size()});
        if (region.kind == driver::RegionKind::kOutput) {
            job.results.emplace_back(offset, bytes.size());
        } else if (region.kind == driver::RegionKind::kScratch) {
            job.shapes = offset;
            job.shapeBytes = compiled->dynamicTensors.size() * sizeof(hw::DspShape);
        }
        const std::uint64_t size = bytes.size();
        job.memory.emplace_back(offset, std::move(bytes));
        offset += (size + 63) / 64 * 64;
    }
    job.results.emplace_back(job.shapes, job.shapeBytes);
    REQUIRE(offset <= kRegionBytes);
    return job;
}

/// An example for every operation and type of its first operand.
std::vector<Job> makeJobs(const std::string& folder, std::set<std::int32_t>& operations) {
    std::vector<Job> jobs;
    std::set<std::pair<std::int32_t, std::int32_t>> seen;
    for (const std::string& path : sim::findVectorFiles(folder)) {
        for (const sim::Example& example : sim::readVectorFile(path).examples) {
            if (example.expectsFailure || !example.referenced.empty()) {
                continue;
            }
            bool isNew = false;
            for (const sim::ExampleOperation& operation : example.main.operations) {
                const auto type = static_cast<std::int32_t>(operation.type);
                const auto& first = example.main.operands[operation.inputs[0]];
                isNew = seen.emplace(type, static_cast<std::int32_t>(first.type)).second || isNew;
                operations.insert(type);
            }
            if (isNew) {
                jobs.push_back(jobOf(example));
            }
        }
    }
    return jobs;
}

/// Runs jobs on the bench's device, from within its script.
class Runner {
  public:
    Runner(DeviceBench& bench, hw::ControllerPort& port) : bench_(bench), port_(port) {}

    /// The results, or nothing if an engine stopped.
    Bytes run(const Job& job) {
        clearShapes(job);
        startJob(port_, job.regions);
        pushAll(port_, job.commands);
        return waitForAll(port_, job.commands) == 0 ? resultsOf(job) : Bytes{};
    }

    /// Starts a job and aborts it while some commands are running.
    void abort(const Job& job, std::uint64_t cycles) {
        const auto& all = job.commands.items();
        CommandList some;
        const std::size_t count = 1 + random_() % all.size();
        for (std::size_t i = 0; i < count; ++i) {
            some.addBytes(all[i].engine, all[i].bytes);
        }
        clearShapes(job);
        startJob(port_, job.regions);
        pushAll(port_, some);
        port_.charge(static_cast<std::uint32_t>(random_() % (cycles + 1)));
        port_.write32(hw::regs::EngineAbort::kSpec.offset, 1);
    }

    void place(const Job& job) {
        for (const auto& [offset, bytes] : job.memory) {
            std::copy(bytes.begin(), bytes.end(), bench_.memory.at(JobBench::bus(offset)));
        }
    }

  private:
    void clearShapes(const Job& job) {
        std::fill_n(bench_.memory.at(JobBench::bus(job.shapes)), job.shapeBytes, std::byte{0});
    }
    Bytes resultsOf(const Job& job) {
        Bytes bytes{std::byte{1}};  // not empty
        for (const auto& [offset, size] : job.results) {
            const std::byte* begin = bench_.memory.at(JobBench::bus(offset));
            bytes.insert(bytes.end(), begin, begin + size);
        }
        return bytes;
    }

    DeviceBench& bench_;
    hw::ControllerPort& port_;
    std::minstd_rand random_{7};
};

}  // namespace

TEST_SUITE_BEGIN("integration/restart");

TEST_CASE("an execution restarted after an abort gives the bytes of an undisturbed one [E-2]") {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    simCase([&] {
        std::set<std::int32_t> operations;
        const std::vector<Job> jobs = makeJobs(folder.string(), operations);
        CHECK(operations.size() >= kLeastOperations);
        DeviceBench* device = nullptr;
        std::vector<std::string> problems;
        bool isDone = false;
        DeviceBench::Options options;
        options.script = [&](hw::ControllerPort& port) {
            device->setRoot(port);
            Runner runner(*device, port);
            for (const Job& job : jobs) {
                runner.place(job);
                const std::uint32_t begin = port.read32(hw::regs::CycleCounterLo::kSpec.offset);
                const Bytes undisturbed = runner.run(job);
                const std::uint32_t end = port.read32(hw::regs::CycleCounterLo::kSpec.offset);
                runner.place(job);
                for (int attempt = 0; attempt < 3; ++attempt) {
                    runner.abort(job, end - begin);
                }
                if (undisturbed.empty() || runner.run(job) != undisturbed) {
                    problems.push_back(job.name);
                }
            }
            isDone = true;
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        bench.boot();
        CHECK(bench.runUntil([&] { return isDone; }, 2'000'000'000));
        CHECK(problems == std::vector<std::string>{});
    });
}

TEST_SUITE_END();
