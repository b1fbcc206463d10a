// SPDX-License-Identifier: Apache-2.0
// The C library as a host uses it: accesses to registers, and steps of time. The goal is at most
// 200 ns for a read.
#include <benchmark/benchmark.h>
#include <vnpu/registers.h>
#include <vnpu_device.h>

#include <cstdio>
#include <cstdlib>

namespace {

void must(vnpu_status status) {
    if (status != VNPU_OK) {
        std::fprintf(stderr, "%s: %s\n", vnpu_status_name(status), vnpu_last_error());
        std::exit(1);
    }
}

/// The device of this process, in reset: what is measured is the way to it and back.
vnpu_device* device() {
    static vnpu_device* const device = [] {
        vnpu_options options{};
        options.struct_size = sizeof(options);
        options.host.dma_read = [](void*, std::uint64_t, void*, std::uint64_t) { return 1; };
        options.host.dma_write = [](void*, std::uint64_t, const void*, std::uint64_t) { return 1; };
        options.host.irq = [](void*, int) {};
        vnpu_device* created = nullptr;
        must(vnpu_device_create(&options, &created));
        must(vnpu_advance(1000));
        return created;
    }();
    return device;
}

void readRegister(benchmark::State& state) {
    const auto offset = static_cast<std::uint32_t>(state.range(0));
    std::uint32_t value = 0;
    for (auto _ : state) {
        must(vnpu_device_read32(device(), offset, &value));
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(readRegister)->Arg(VNPU_REG_ID)->Arg(VNPU_REG_STATUS)->Arg(VNPU_REG_CYCLE_COUNTER_LO);

void writeRegister(benchmark::State& state) {
    for (auto _ : state) {
        must(vnpu_device_write32(device(), VNPU_REG_IRQ_STATUS, 0));
    }
}
BENCHMARK(writeRegister);

void advanceIdleDevice(benchmark::State& state) {
    device();
    for (auto _ : state) {
        must(vnpu_advance(1000 * VNPU_PS_PER_NS));
    }
}
BENCHMARK(advanceIdleDevice);

}  // namespace

BENCHMARK_MAIN();
