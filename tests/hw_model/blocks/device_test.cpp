// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/device.h"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <chrono>

#include "tests/hw_model/blocks/device_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint64_t kVa = 0x4000'0000;

DmaTransfer load(std::uint64_t regionOffset, std::uint64_t sram, std::uint32_t bytes) {
    DmaTransfer work{};
    work.source = {0, 0, 0, regionOffset};
    work.destination = {kSpaceSram, 0, 0, sram};
    work.rowBytes = bytes;
    work.counts[0] = work.counts[1] = work.counts[2] = 1;
    return work;
}

DmaTransfer store(std::uint64_t sram, std::uint64_t regionOffset, std::uint32_t bytes) {
    DmaTransfer work = load(regionOffset, sram, bytes);
    std::swap(work.source, work.destination);
    return work;
}

MacConv gemm(std::uint32_t m, std::uint32_t n, std::uint32_t k, std::uint32_t a, std::uint32_t b,
             std::uint32_t c) {
    MacConv work{};
    work.inputType = work.filterType = work.outputType = ElementType::kInt8;
    work.flags = kMacDrain;
    work.inputSram = a;
    work.filterSram = b;
    work.outputSram = c;
    work.inputHeight = m;
    work.inputWidth = 1;
    work.inputChannels = k;
    work.inputRowBytes = work.inputPixelBytes = k;
    work.outputHeight = m;
    work.outputWidth = 1;
    work.outputChannels = n;
    work.outputRowBytes = work.outputPixelBytes = n;
    work.filterHeight = work.filterWidth = 1;
    work.strideHeight = work.strideWidth = 1;
    work.dilationHeight = work.dilationWidth = 1;
    work.depthMultiplier = 1;
    work.outputStage.clampMin = -128;
    work.outputStage.clampMax = 127;
    work.outputStage.multiplier = 1 << 30;
    return work;
}

VecUnary clamp(std::uint32_t in, std::uint32_t out, std::uint32_t count) {
    VecUnary work{};
    work.inputType = work.outputType = ElementType::kInt8;
    work.kind = UnaryKind::kClamp;
    work.count = count;
    work.inputSram = in;
    work.outputSram = out;
    work.outputStage.clampMin = -128;
    work.outputStage.clampMax = 127;
    return work;
}

}  // namespace

TEST_SUITE("hw_model/blocks/device") {
    TEST_CASE("timing-only speed" * doctest::skip()) {
        simCase([] {
            constexpr std::uint32_t kTiles = 800;
            constexpr std::uint32_t kRounds = 50;
            CommandList list;
            for (std::uint32_t t = 0; t < kTiles; ++t) {
                const std::uint32_t half = (t % 2) * 0x8000;
                std::vector<TokenWait> waits;
                if (t >= 2) {
                    waits = {waitFor(Engine::kMac, t - 1)};
                }
                list.add(Engine::kDma0, load(0, half, 2048), waits);
                list.add(Engine::kDma1, load(65536, 0x10000 + half, 1024), waits);
                waits = {waitFor(Engine::kDma0, t + 1), waitFor(Engine::kDma1, t + 1)};
                if (t >= 2) {
                    waits.push_back(waitFor(Engine::kVector, t - 1));
                }
                list.add(Engine::kMac, gemm(64, 32, 32, half, 0x10000 + half, 0x20000 + half),
                         waits);
                waits = {waitFor(Engine::kMac, t + 1)};
                if (t >= 2) {
                    waits.push_back(waitFor(Engine::kDma2, t - 1));
                }
                list.add(Engine::kVector, clamp(0x20000 + half, 0x30000 + half, 2048), waits);
                list.add(Engine::kDma2, store(0x30000 + half, 128 * 1024, 2048),
                         {waitFor(Engine::kVector, t + 1)});
            }
            DeviceBench* bench = nullptr;
            bool isDone = false;
            std::uint32_t error = 1;
            std::chrono::steady_clock::time_point begin, end;
            DeviceBench::Options options;
            options.config.timingOnly = true;
            options.isObserved = false;
            options.script = [&](ControllerPort& port) {
                bench->setRoot(port);
                begin = std::chrono::steady_clock::now();
                for (std::uint32_t i = 0; i < kRounds; ++i) {
                    startJob(port, {{kVa, 1U << 20}});
                    pushAll(port, list);
                    error = waitForAll(port, list);
                }
                end = std::chrono::steady_clock::now();
                isDone = true;
            };
            DeviceBench theBench(std::move(options));
            bench = &theBench;
            theBench.map(kVa, MemoryTarget::kBase, 1U << 20);
            theBench.boot();
            while (!isDone) {
                theBench.run(1'000'000);
            }
            CHECK(error == 0);
            fmt::print("{:.1f} ns per command, {} cycles, races {}\n",
                       std::chrono::duration<double, std::nano>(end - begin).count() /
                               (5 * kTiles * kRounds),
                       theBench.cycle(), theBench.perf(regs::PerfEvent::kSramRaces));
        });
    }
}

}  // namespace vnpu::test
