// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/bank_load.h"

#include <doctest/doctest.h>

#include "driver/compiler/emit/transfer.h"
#include "driver/compiler/stream/schedule.h"
#include "tests/driver/compiler/small_graph.h"
#include "tests/driver/compiler/test_device.h"

// All cases use the edge device: eight banks of 65,536 bytes, each with a port of 32 bytes per
// cycle, so that 32,768 bytes keep a port busy for 1,024 cycles.
namespace vnpu::driver::test {
namespace {

constexpr std::uint32_t kBankBytes = 65536;
constexpr std::uint32_t kPortBytes = 32;
constexpr std::uint32_t kCycles = 1024;

ListedCommand command(hw::Engine engine, const Payload& payload) {
    ListedCommand listed;
    listed.engine = engine;
    listed.payload = payload;
    return listed;
}

ListedCommand transfer(hw::Engine engine, const hw::MemoryRef& from, const hw::MemoryRef& to,
                       std::uint32_t bytes) {
    hw::DmaTransfer work{};
    work.source = from;
    work.destination = to;
    work.rowBytes = bytes;
    work.counts[0] = work.counts[1] = work.counts[2] = 1;
    return command(engine, work);
}

/// Brings bytes from the begin of a region to SRAM.
ListedCommand load(hw::Engine engine, std::uint32_t address, std::uint32_t bytes) {
    return transfer(engine, {1, 0, 0, 0}, sramRef(address), bytes);
}

/// 1 x 1, 8 x 8 pixels of 16 channels to 32 channels, 8-bit: input, filter and output in the first
/// three banks.
hw::MacConv pointwise() {
    hw::MacConv work{};
    work.inputType = work.filterType = work.outputType = hw::ElementType::kInt8;
    work.flags = hw::kMacDrain;
    work.inputSram = 0;
    work.filterSram = kBankBytes;
    work.outputSram = 2 * kBankBytes;
    work.inputHeight = work.outputHeight = 8;
    work.inputWidth = work.outputWidth = 8;
    work.inputChannels = work.inputPixelBytes = 16;
    work.inputRowBytes = 8 * 16;
    work.outputChannels = work.outputPixelBytes = 32;
    work.outputRowBytes = 8 * 32;
    work.filterHeight = work.filterWidth = 1;
    work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
    return work;
}

/// How many times as long a load of `cycles` takes that alone would keep the port of `bank` busy
/// all the time.
double slowdownIn(BankLoad banks, std::uint32_t bank, std::uint32_t cycles = kCycles) {
    const double stall =
            banks.begin(load(hw::Engine::kDma3, bank * kBankBytes, cycles * kPortBytes), 0, cycles);
    return 1 + stall / cycles;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/bank_load");

TEST_CASE("commands on different banks do not slow each other [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    CHECK(banks.begin(load(hw::Engine::kDma0, 0, 32768), 0, kCycles) == 0);
    CHECK(banks.begin(load(hw::Engine::kDma1, kBankBytes, 32768), 0, kCycles) == 0);
    CHECK(banks.begin(load(hw::Engine::kDma2, 7 * kBankBytes, 32768), 0, kCycles) == 0);
}

TEST_CASE("a command on a bank that others use waits for what the port lacks [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    // Half of the port's time; half and a quarter.
    CHECK(banks.begin(load(hw::Engine::kDma0, 0, 16384), 0, kCycles) == 0);
    CHECK(banks.begin(load(hw::Engine::kDma1, 16384, 16384), 0, 2 * kCycles) == 0);
    // Half, a quarter and three quarters for 512 cycles, a quarter and three quarters for the rest.
    CHECK(banks.begin(load(hw::Engine::kDma2, 32768, 24576), 512, kCycles) == 256);
    // The first has ended.
    CHECK(banks.begin(load(hw::Engine::kDma2, 32768, 32768), 1024, kCycles) == 256);
}

TEST_CASE("a command that waited uses its banks for longer [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    CHECK(banks.begin(load(hw::Engine::kDma0, 0, 32768), 0, kCycles) == 0);
    CHECK(banks.begin(load(hw::Engine::kDma1, 0, 16384), 0, kCycles) == 512);  // ends at 1,536
    CHECK(banks.begin(load(hw::Engine::kDma2, 0, 32768), 1280, kCycles) == 128);
}

TEST_CASE("an engine's present command takes the place of the one before [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    banks.begin(load(hw::Engine::kDma0, 0, 32768), 0, 2 * kCycles);
    banks.begin(load(hw::Engine::kDma0, kBankBytes, 32768), kCycles, kCycles);
    CHECK(banks.begin(load(hw::Engine::kDma1, 0, 32768), kCycles, kCycles) == 0);
    CHECK(banks.begin(load(hw::Engine::kDma1, kBankBytes, 32768), kCycles, kCycles) == kCycles);
}

TEST_CASE("bytes count in the banks in which they lie [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    // 8,192 bytes in the first bank and 24,576 in the second.
    banks.begin(load(hw::Engine::kDma0, kBankBytes - 8192, 32768), 0, kCycles);
    CHECK(slowdownIn(banks, 0) == 1.25);
    CHECK(slowdownIn(banks, 1) == 1.75);
    CHECK(slowdownIn(banks, 2) == 1);
}

TEST_CASE("a port is never busy for more than all of the time [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    // The port would need twice the time; the command's own time has that already.
    CHECK(banks.begin(load(hw::Engine::kDma0, 0, 65536), 0, kCycles) == 0);
    CHECK(banks.begin(load(hw::Engine::kDma1, 0, 16384), 0, kCycles) == kCycles / 2);
}

TEST_CASE("only the side in SRAM counts, and of a copy on the chip both [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    banks.begin(transfer(hw::Engine::kDma0, {1, 0, 0, 0}, sramRef(kBankBytes), 16384), 0, kCycles);
    CHECK(slowdownIn(banks, 0) == 1);
    CHECK(slowdownIn(banks, 1) == 1.5);
    banks.begin(transfer(hw::Engine::kDma0, sramRef(0), sramRef(kBankBytes), 16384), 0, kCycles);
    CHECK(slowdownIn(banks, 0) == 1.5);
    CHECK(slowdownIn(banks, 1) == 1.5);
}

TEST_CASE("the gaps between a transfer's rows do not pass [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    // Four rows of 4,096 bytes, one every 32,768, span 102,400 bytes, 65,536 in the first bank: 64
    // and 36 % of half of a port's time.
    ListedCommand rows = load(hw::Engine::kDma0, 0, 4096);
    auto& work = std::get<hw::DmaTransfer>(rows.payload);
    work.counts[2] = 4;
    work.destinationStrides[2] = 32768;
    banks.begin(rows, 0, kCycles);
    CHECK(slowdownIn(banks, 0) == doctest::Approx(1.32));
    CHECK(slowdownIn(banks, 1) == doctest::Approx(1.18));
    CHECK(slowdownIn(banks, 2) == 1);
}

TEST_CASE("the gaps between the rows of a fill do not count either [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    // As above: 16,384 bytes in a span of 102,400.
    hw::DmaFill work{};
    work.destination = sramRef(0);
    work.rowBytes = 4096;
    work.counts[0] = work.counts[1] = 1;
    work.counts[2] = 4;
    work.destinationStrides[2] = 32768;
    work.patternBytes = 1;
    banks.begin(command(hw::Engine::kDma0, work), 0, kCycles);
    CHECK(slowdownIn(banks, 0) == doctest::Approx(1.32));
    CHECK(slowdownIn(banks, 1) == doctest::Approx(1.18));
    CHECK(slowdownIn(banks, 2) == 1);
}

TEST_CASE("the array takes its input once for each fold of its columns [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    // 64 pixels of 16 bytes for each of two folds of 16 columns; 16 * 32 of filter; 64 * 32 out.
    banks.begin(command(hw::Engine::kMac, pointwise()), 0, 128);  // 4,096 bytes for a port
    CHECK(slowdownIn(banks, 0, 128) == 1 + 2048.0 / 4096);
    CHECK(slowdownIn(banks, 1, 128) == 1 + 512.0 / 4096);
    CHECK(slowdownIn(banks, 2, 128) == 1 + 2048.0 / 4096);
}

TEST_CASE("the array takes its filter once for each block of pixels [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    hw::MacConv work = pointwise();
    work.blockHeight = 4;
    work.blockWidth = 8;
    work.blockChannels = 16;
    banks.begin(command(hw::Engine::kMac, work), 0, 128);
    CHECK(slowdownIn(banks, 0, 128) == 1 + 2048.0 / 4096);  // one fold for each of two blocks
    CHECK(slowdownIn(banks, 1, 128) == 1 + 2 * 512.0 / 4096);
    CHECK(slowdownIn(banks, 2, 128) == 1 + 2048.0 / 4096);
}

TEST_CASE("depthwise work takes each channel of its input by itself [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    hw::MacConv work = pointwise();
    work.flags |= hw::kMacDepthwise;
    work.outputChannels = work.outputPixelBytes = 16;
    work.outputRowBytes = 8 * 16;
    work.filterHeight = work.filterWidth = 3;
    banks.begin(command(hw::Engine::kMac, work), 0, 576);  // 18,432 bytes for a port
    // 64 results of 16 channels, each of 9 bytes.
    CHECK(slowdownIn(banks, 0, 576) == doctest::Approx(1 + 9216.0 / 18432));
    CHECK(slowdownIn(banks, 1, 576) == doctest::Approx(1 + 144.0 / 18432));
    CHECK(slowdownIn(banks, 2, 576) == doctest::Approx(1 + 1024.0 / 18432));
}

TEST_CASE("the output stage of one product runs beside the next product, not the one after [E-3]") {
    const DeviceInfo device = edgeDevice();
    BankLoad banks(device);
    const ListedCommand product = command(hw::Engine::kMac, pointwise());
    // 2,048 bytes take half of a port's time in 128 cycles, and all of it in 64.
    CHECK(banks.begin(product, 0, 128) == 0);
    CHECK(banks.begin(product, 60, 64) == 32);   // ends at 156
    CHECK(banks.begin(product, 100, 64) == 56);  // beside the second only, for 56 cycles
}

TEST_CASE("the schedule's estimate has the slowdown of commands that run beside others [E-3]") {
    DeviceInfo device = edgeDevice();
    device.dramBytesPerCycle = 64;  // the channel's 16 bytes per cycle are the limit
    const CostModel costs(device);
    // 8,192 bytes take 108 cycles of latency and 512 of data: 8192 / (32 * 620) of the port's time.
    // 32,768 bytes take the vector unit 16 + 1,024 cycles: 32768 / (32 * 1040) of the port's time.
    const double excess = 8192.0 / (32 * 620) + 32768.0 / (32 * 1040) - 1;
    const auto scheduled = [&](std::uint32_t to, bool isLoadFirst) {
        CommandList list(costs);
        list.setOperation(0);
        const hw::VecUnary clamp = clampBytes(0, kBankBytes, 32768);
        if (!isLoadFirst) {
            list.add(hw::Engine::kVector, clamp);
        }
        addTransfer(list, hw::Engine::kDma0, {1, 0, 0, 0}, sramRef(to), 8192);
        if (isLoadFirst) {
            list.add(hw::Engine::kVector, clamp);
        }
        return scheduleCommands(list.commands(), costs);
    };
    const auto same = scheduled(32768, true);
    const auto other = scheduled(2 * kBankBytes, true);
    CHECK(same.finishCycles[0] == other.finishCycles[0]);
    const double together = same.startCycles[0] + 620 - same.startCycles[1];
    REQUIRE(together > 570);
    CHECK(same.finishCycles[1] - other.finishCycles[1] == doctest::Approx(excess * together));
    CHECK(same.totalCycles - other.totalCycles == doctest::Approx(excess * together));
    // The other way round the transfer waits, for as long as it takes.
    const auto later = scheduled(32768, false);
    CHECK(later.finishCycles[1] - scheduled(2 * kBankBytes, false).finishCycles[1] ==
          doctest::Approx(excess * 620));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
