// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "driver/compiler/transfer.h"
#include "tests/driver/compiler/test_device.h"

namespace vnpu::driver {
namespace {

std::vector<std::uint32_t> positionsOf(const Schedule& schedule) {
    std::vector<std::uint32_t> positions(schedule.order.size());
    for (std::uint32_t p = 0; p < schedule.order.size(); ++p) {
        positions[schedule.order[p]] = p;
    }
    return positions;
}

hw::VecUnary clamp(std::uint32_t from, std::uint32_t to, std::uint32_t count) {
    hw::VecUnary work{};
    work.inputType = work.outputType = hw::ElementType::kUint8;
    work.kind = hw::UnaryKind::kClamp;
    work.inputSram = from;
    work.outputSram = to;
    work.count = count;
    work.outputStage.clampMax = 255;
    return work;
}

}  // namespace

TEST_SUITE("driver/compiler/schedule") {
    TEST_CASE("a load that could start long ago moves ahead of work in between") {
        const DeviceInfo device = test::edgeDevice();
        const CostModel costs(device);
        CommandList list(costs);
        list.setOperation(0);
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 4096);
        for (int i = 0; i < 6; ++i) {
            list.add(hw::Engine::kVector, clamp(0, 8192, 4096));
        }
        addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 4096);
        const Schedule schedule = scheduleCommands(list.commands(), costs);
        CHECK(positionsOf(schedule)[7] < 3);
    }

    TEST_CASE("engines keep their order and nothing comes before what it waits for") {
        const DeviceInfo device = test::edgeDevice();
        const CostModel costs(device);
        CommandList list(costs);
        list.setOperation(0);
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t slot = (i % 2) * 4096;
            addTransfer(list, hw::Engine::kDma0, {0, 0, 0, i * 4096ULL}, sramRef(slot), 4096);
            list.add(hw::Engine::kVector, clamp(slot, 16384 + slot, 4096));
            addTransfer(list, hw::Engine::kDma2, sramRef(16384 + slot), {1, 0, 0, i * 4096ULL},
                        4096);
        }
        const Schedule schedule = scheduleCommands(list.commands(), costs);
        const auto positions = positionsOf(schedule);
        for (std::size_t i = 0; i + 3 < positions.size(); ++i) {
            CHECK(positions[i] < positions[i + 3]);  // the same engine's next
        }
        for (std::size_t i = 0; i < positions.size(); i += 3) {
            CHECK(positions[i] < positions[i + 1]);
            CHECK(positions[i + 1] < positions[i + 2]);
        }
        // Two buffers: the third load starts before the second result is stored.
        CHECK(positions[6] < positions[5]);
    }

    TEST_CASE("the total is the last finish, and memory bandwidth bounds it") {
        const DeviceInfo device = test::edgeDevice();
        const CostModel costs(device);
        CommandList list(costs);
        list.setOperation(0);
        for (std::uint32_t i = 0; i < 4; ++i) {
            const auto engine = static_cast<hw::Engine>(i % 2);
            addTransfer(list, engine, {0, 0, 0, i * 8192ULL}, sramRef(i * 8192ULL), 8192);
        }
        const Schedule schedule = scheduleCommands(list.commands(), costs);
        CHECK(schedule.totalCycles ==
              *std::max_element(schedule.finishCycles.begin(), schedule.finishCycles.end()));
        CHECK(schedule.totalCycles >= 4 * 8192 / 4);        // 4 bytes per cycle
        CHECK(schedule.totalCycles < 4 * 8192 / 4 + 1000);  // channels overlap their latencies
    }
}

}  // namespace vnpu::driver
