// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/blocks/job_bench.h"

#include <doctest/doctest.h>

#include <utility>

namespace vnpu::test {

using namespace hw;

JobBench::JobBench(CommandList list, NpuConfig config, const sc_core::sc_module_name& name,
                   FaultInjector* faults)
    : DeviceBench(makeOptions(*this, std::move(list), std::move(config), faults), name) {
    map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
    map(smallPagesVa(), MemoryTarget::kBase, kRegionBytes, true, false);
}

DeviceBench::Options JobBench::makeOptions(JobBench& self, CommandList list, NpuConfig config,
                                           FaultInjector* faults) {
    Options options;
    options.faults = faults;
    options.config = std::move(config);
    options.script = [&self, list = std::move(list)](ControllerPort& port) {
        self.setRoot(port);
        startJob(port, {{kRegionVa, kRegionBytes}, {smallPagesVa(), kRegionBytes}});
        pushAll(port, list);
        self.error_ = waitForAll(port, list);
        self.endCycle_ = port.read32(regs::CycleCounterLo::kSpec.offset);
        self.isDone_ = true;
    };
    return options;
}

std::uint32_t JobBench::runJob(std::uint64_t limitCycles) {
    isDone_ = false;
    boot();
    REQUIRE(runUntil([&] { return isDone_; }, limitCycles));
    return error_;
}

MemoryRef inRegion(std::uint64_t offset, std::uint16_t region) {
    return {region, 0, 0, offset};
}

MemoryRef inSram(std::uint64_t offset) {
    return {kSpaceSram, 0, 0, offset};
}

DmaTransfer copyBytes(const MemoryRef& from, const MemoryRef& to, std::uint32_t bytes) {
    return copyRows(from, to, bytes, 1, 0, 0);
}

DmaTransfer copyRows(const MemoryRef& from, const MemoryRef& to, std::uint32_t rowBytes,
                     std::uint32_t rows, std::uint32_t sourceStride,
                     std::uint32_t destinationStride) {
    DmaTransfer work{};
    work.source = from;
    work.destination = to;
    work.rowBytes = rowBytes;
    work.counts[0] = work.counts[1] = 1;
    work.counts[2] = rows;
    work.sourceStrides[2] = sourceStride;
    work.destinationStrides[2] = destinationStride;
    return work;
}

DmaFill fillBytes(const MemoryRef& to, std::uint32_t bytes, std::uint32_t pattern,
                  std::uint32_t patternBytes) {
    DmaFill work{};
    work.destination = to;
    work.rowBytes = bytes;
    work.counts[0] = work.counts[1] = work.counts[2] = 1;
    work.pattern = pattern;
    work.patternBytes = patternBytes;
    return work;
}

MacConv gemm(std::uint32_t m, std::uint32_t n, std::uint32_t k, std::uint32_t inputSram,
             std::uint32_t filterSram, std::uint32_t outputSram) {
    MacConv work{};
    work.inputType = work.filterType = work.outputType = ElementType::kInt8;
    work.flags = kMacDrain;
    work.inputSram = inputSram;
    work.filterSram = filterSram;
    work.outputSram = outputSram;
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
    work.outputStage.multiplier = 1 << 30;  // times 2^(1 - 31) is one
    work.outputStage.shift = 1;
    return work;
}

VecUnary clampBytes(std::uint32_t inputSram, std::uint32_t outputSram, std::uint32_t count) {
    VecUnary work{};
    work.inputType = work.outputType = ElementType::kInt8;
    work.kind = UnaryKind::kClamp;
    work.count = count;
    work.inputSram = inputSram;
    work.outputSram = outputSram;
    work.outputStage.clampMin = -128;
    work.outputStage.clampMax = 127;
    return work;
}

CommandList tileStream(std::uint32_t count, const MemoryRef& weights,
                       std::uint32_t oddWeightBytes) {
    CommandList list;
    for (std::uint32_t t = 0; t < count; ++t) {
        const std::uint32_t half = (t % 2) * 0x10000;
        std::vector<TokenWait> waits;
        if (t >= 2) {
            waits = {waitFor(Engine::kMac, t - 1)};
        }
        list.add(Engine::kDma0,
                 copyBytes(inRegion(std::uint64_t{t % 64} * 2048), inSram(half), 2048), waits);
        list.add(Engine::kDma1,
                 copyBytes(weights, inSram(0x20000 + half), t % 2 == 0 ? 1024 : oddWeightBytes),
                 waits);
        waits = {waitFor(Engine::kDma0, t + 1), waitFor(Engine::kDma1, t + 1)};
        if (t >= 2) {
            waits.push_back(waitFor(Engine::kVector, t - 1));
        }
        list.add(Engine::kMac, gemm(64, 32, 32, half, 0x20000 + half, 0x40000 + half), waits);
        waits = {waitFor(Engine::kMac, t + 1)};
        if (t >= 2) {
            waits.push_back(waitFor(Engine::kDma2, t - 1));
        }
        list.add(Engine::kVector, clampBytes(0x40000 + half, 0x60000 + half, 2048), waits);
        list.add(Engine::kDma2,
                 copyBytes(inSram(0x60000 + half), inRegion(0x80000 + std::uint64_t{t % 64} * 2048),
                           2048),
                 {waitFor(Engine::kVector, t + 1)});
    }
    return list;
}

}  // namespace vnpu::test
