// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/mutants/mutant.h"

#include <algorithm>

namespace vnpu::sim {

namespace {

using hw::NpuConfig;

std::uint32_t scaled(std::uint32_t value, double factor) {
    return std::max(1U, static_cast<std::uint32_t>(value * factor));
}

template <int kFactor>
void speedUpDepthwise(NpuConfig& config) {
    config.mac.depthwiseColumns *= kFactor;
}

constexpr Mutant kMutants[] = {
        {.name = "depthwise-2x",
         .description = "depthwise layers twice as fast",
         .change = speedUpDepthwise<2>,
         .rows = {"ethos-u", "mobilenet_v1_025_96 on u55-128"}},
        {.name = "depthwise-4x",
         .description = "depthwise layers four times as fast",
         .change = speedUpDepthwise<4>,
         .rows = {"ethos-u", "mobilenet_v1_025_96 on u55-128"}},
        {.name = "output-stage-2x",
         .description = "output stage twice as fast",
         .change = [](NpuConfig& config) { config.mac.outputLanes *= 2; },
         .rows = {"ethos-u", "mobilenet_v1_025_96 on u65-256"}},
        {.name = "output-stage-half",
         .description = "output stage half as fast",
         .change =
                 [](NpuConfig& config) {
                     config.mac.outputLanes = scaled(config.mac.outputLanes, 0.5);
                 },
         .rows = {"bandwidth", "3 x 3 convolution of 56 x 56 x 64"}},
        {.name = "latency-tenth",
         .description = "DRAM latency a tenth",
         .change =
                 [](NpuConfig& config) {
                     config.dram.latencyCycles = scaled(config.dram.latencyCycles, 0.1);
                 },
         .rows = {"latency", "product of 16 x 16 x 16 on u65-256"}},
        {.name = "latency-200x",
         .description = "DRAM latency times 200",
         .change = [](NpuConfig& config) { config.dram.latencyCycles *= 200; },
         .rows = {"ethos-u", "resnet8 on u65-256"}},
        {.name = "dram-33-faster",
         .description = "DRAM bandwidth a third higher",
         .change = [](NpuConfig& config) { config.dram.bytesPerCycle *= 4.0 / 3.0; },
         .rows = {"ethos-u", "autoencoder on u55-256"}},
        {.name = "dram-33-slower",
         .description = "DRAM bandwidth a third lower",
         .change = [](NpuConfig& config) { config.dram.bytesPerCycle *= 2.0 / 3.0; },
         .rows = {"ethos-u", "autoencoder on u55-256"}},
        {.name = "columns-half",
         .description = "array with half of its columns",
         .change = [](NpuConfig& config) { config.mac.columns = scaled(config.mac.columns, 0.5); },
         .rows = {"ethos-u", "resnet8 on u65-256"}},
        {.name = "columns-double",
         .description = "array with twice its columns",
         .change = [](NpuConfig& config) { config.mac.columns *= 2; },
         .rows = {"ethos-u", "resnet8 on u65-256"}},
        {.name = "rows-half",
         .description = "array with half of its rows",
         .change = [](NpuConfig& config) { config.mac.rows = scaled(config.mac.rows, 0.5); },
         .rows = {"ethos-u", "resnet8 on u65-256"}},
        {.name = "sram-third",
         .description = "a third of the SRAM for the compiler",
         .change =
                 [](NpuConfig& config) {
                     const std::uint32_t banks = config.sram.banks;
                     config.sram.kib = std::max(banks, config.sram.kib / 3 / banks * banks);
                 },
         .rows = {"sram", "product of 256 x 1024 x 2048"}},
        {.name = "sram-twice",
         .description = "twice the SRAM",
         .change = [](NpuConfig& config) { config.sram.kib *= 2; },
         .rows = {"sram", "product of 256 x 1024 x 2048"}},
        {.name = "no-winograd",
         .description = "Winograd lost",
         .change = [](NpuConfig& config) { config.mac.winograd = false; },
         .rows = {"nvdla", "alexnet on nvdla-2048"}},
        {.name = "single-buffered-weights",
         .description = "stationary tiles are loaded while the array waits",
         .change = [](NpuConfig& config) { config.mac.weightDoubleBuffer = false; },
         .rows = {"ethos-u", "resnet8 on u65-256"}},
        {.name = "small-accumulators",
         .description = "accumulators of a sixteenth of their size",
         .change =
                 [](NpuConfig& config) {
                     config.mac.accumulatorKib = scaled(config.mac.accumulatorKib, 1.0 / 16);
                 },
         .rows = {"nvdla", "googlenet on nvdla-2048"}},
        {.name = "narrow-bus",
         .description = "interconnect of two bytes a cycle",
         .change = [](NpuConfig& config) { config.interconnect.bytesPerCycle = 2; },
         .rows = {"ethos-u", "autoencoder on u65-256"}},
        {.name = "narrow-ports",
         .description = "ports of the SRAM's banks of an eighth of their width",
         .change =
                 [](NpuConfig& config) {
                     config.sram.portBytes = scaled(config.sram.portBytes, 0.125);
                 },
         .rows = {"bandwidth", "product of 128 x 512 x 512"}},
        {.name = "slow-walks",
         .description = "page walks take 50 times as long",
         .change = [](NpuConfig& config) { config.mmu.walkLevelCycles *= 50; },
         .rows = {"nvdla", "alexnet on nvdla-2048"}},
        {.name = "slow-vector-unit",
         .description = "vector unit of a sixty-fourth of its width",
         .change =
                 [](NpuConfig& config) {
                     config.vector.lanes8 = scaled(config.vector.lanes8, 1.0 / 64);
                     config.vector.lanes32 = scaled(config.vector.lanes32, 1.0 / 64);
                 },
         .rows = {"nvdla", "googlenet on nvdla-2048"}},
        {.name = "narrow-dma",
         .description = "DMA channels of an eighth of their width",
         .change =
                 [](NpuConfig& config) {
                     config.dma.bytesPerCycle = scaled(config.dma.bytesPerCycle, 0.125);
                 },
         .rows = {"ethos-u", "autoencoder on u65-256"}},
        {.name = "slow-dispatch",
         .description = "register accesses of the controller take 200 times as long",
         .change = [](NpuConfig& config) { config.controller.registerCycles *= 200; },
         .rows = {"latency", "product of 16 x 16 x 16 on u65-256"}},
        {.name = "busy-dram",
         .description = "half of the DRAM's bandwidth is used by others",
         .change = [](NpuConfig& config) { config.dram.background = 0.5; },
         .rows = {"ethos-u", "autoencoder on u55-256"}},
        {.name = "slow-bus",
         .description = "latency of the interconnect times 100",
         .change = [](NpuConfig& config) { config.interconnect.latencyCycles *= 100; },
         .rows = {"latency", "product of 16 x 16 x 16 on u65-256"}},
        {.name = "image-in-rows",
         .description = "images are read in rows instead of pixels",
         .change = [](NpuConfig& config) { config.dma.pixelReads = false; },
         .rows = {"ethos-u", "mobilenet_v1_025_96 on u65-256"}},
        {.name = "float-2x",
         .description = "float products twice as fast",
         .change =
                 [](NpuConfig& config) {
                     config.mac.floatDivisor = scaled(config.mac.floatDivisor, 0.5);
                 },
         .rows = {"engines", "product of 128 x 256 x 256, float32 on edge"}},
        {.name = "vector-2x",
         .description = "vector unit with twice its 8-bit lanes",
         .change = [](NpuConfig& config) { config.vector.lanes8 *= 2; },
         .rows = {"engines", "sum of 64 x 1024, int8 on edge"}},
        {.name = "exponentials-2x",
         .description = "exponentials of the vector unit twice as fast",
         .change =
                 [](NpuConfig& config) {
                     config.vector.exponentialCycles = scaled(config.vector.exponentialCycles, 0.5);
                 },
         .rows = {"engines", "softmax of 64 x 512, float32 on edge"}},
        {.name = "dsp-2x",
         .description = "DSP with twice its float products a cycle",
         .change = [](NpuConfig& config) { config.dsp.macsFloat *= 2; },
         .rows = {"engines", "RNN of 128 units, float32 on mobile"}},
        {.name = "narrow-dsp",
         .description = "port of the DSP to memory of an eighth of its width",
         .change = [](NpuConfig& config) { config.dsp.bytesPerCycle /= 8; },
         .rows = {"engines", "lookup of 128 rows of 64, float32 on mobile"}},
        {.name = "cheap-dram",
         .description = "energy of a byte of the DRAM halved",
         .change = [](NpuConfig& config) { config.energy.dramBytePj /= 2; },
         .rows = {"engines", "sum of 64 x 1024, int8 on edge"}},
        {.name = "dear-sram",
         .description = "energy of a byte of the SRAM doubled",
         .change = [](NpuConfig& config) { config.energy.sramBytePj *= 2; },
         .rows = {"engines", "product of 128 x 256 x 256, int8 on edge"}},
        {.name = "cheap-floats",
         .description = "energy of a float product halved",
         .change = [](NpuConfig& config) { config.energy.macFloatPj /= 2; },
         .rows = {"engines", "product of 128 x 256 x 256, float32 on edge"}},
        {.name = "googlenet-20x",
         .description = "published figures of GoogLeNet times 20",
         .falsifiedNetwork = "googlenet",
         .referenceFactor = 20.0,
         .rows = {"nvdla", "googlenet on nvdla-2048"}},
        {.name = "mobilenet-half",
         .description = "published figures of MobileNetV2 halved",
         .falsifiedNetwork = "mobilenet_v2",
         .referenceFactor = 0.5,
         .rows = {"ethos-u", "mobilenet_v2 on u55-256"}},
};

}  // namespace

std::span<const Mutant> mutants() {
    return kMutants;
}

const Mutant* findMutant(std::string_view name) {
    const auto* found = std::find_if(std::begin(kMutants), std::end(kMutants),
                                     [&](const Mutant& mutant) { return mutant.name == name; });
    return found != std::end(kMutants) ? found : nullptr;
}

}  // namespace vnpu::sim
