// SPDX-License-Identifier: Apache-2.0
// State tensors that stay on the device between executions, on chip and in DRAM: the same results,
// and the cost of each place.
#include <doctest/doctest.h>
#include <vnpu/hal/shared_memory.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"
#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"
#include "sim/config/load_config.h"
#include "sim/models/model_builder.h"
#include "sim/platform/platform.h"
#include "tests/integration/device_memory.h"
#include "tests/support/sim_case.h"

namespace {

namespace nn = android::hardware::neuralnetworks::V1_3;
namespace regs = vnpu::hw::regs;
using android::sp;
using vnpu::driver::BufferPlacement;
using vnpu::driver::MemoryPlace;
using vnpu::sim::ClientContext;
using vnpu::sim::RequestPool;
using vnpu::test::simCase;

constexpr std::uint32_t kStateBytes = 6000;  // chosen: two pages, the second partly used
constexpr std::uint64_t kPage = vnpu::hw::kPageBytes;

/// state' = state + x over int8 with scale 1: exact until it saturates.
vnpu::sim::Network accumulator(std::uint32_t elements) {
    vnpu::sim::ModelBuilder builder("accumulator");
    const vnpu::sim::OperandSpec spec{.type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
                                      .dimensions = {1, elements},
                                      .scale = 1.0F};
    const auto x = builder.addInput(spec, "x");
    const auto state = builder.addInput(spec, "state");
    const auto next = builder.addTemporary(spec, "next");
    builder.addOperation(nn::OperationType::ADD, {x, state, builder.addInt32(0)}, next);
    builder.markOutput(next);
    return builder.build();
}

struct Buffer {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    sp<nn::IBuffer> buffer;
    std::uint32_t token = 0;
};

struct Placements : vnpu::driver::DriverObserver {
    void onBufferPlaced(std::chrono::nanoseconds, const BufferPlacement& placement) override {
        seen.push_back(placement);
    }
    std::vector<BufferPlacement> seen;
};

/// A client with an accumulator, its x, and a pool to copy states in and out.
class StateClient {
  public:
    explicit StateClient(ClientContext& context)
        : context_(context),
          network_(accumulator(kStateBytes)),
          input_(RequestPool::create(std::vector<std::uint64_t>{kStateBytes}, 64)),
          copy_(RequestPool::create(std::vector<std::uint64_t>{kStateBytes}, 64)) {
        const auto prepared = vnpu::sim::prepareModel(context, network_.model,
                                                      {.priority = nn::Priority::MEDIUM});
        REQUIRE(prepared.status == nn::ErrorStatus::NONE);
        model_ = prepared.preparedModel;
        for (std::size_t i = 0; i < kStateBytes; ++i) {
            input_.argument(0)[i] = static_cast<std::byte>(i % 13);
        }
    }

    Buffer allocate(float frequency) const {
        Buffer result;
        context_.device()->allocate(
                {}, {model_}, {{.modelIndex = 0, .ioIndex = 1, .frequency = frequency}},
                {{.modelIndex = 0, .ioIndex = 0, .frequency = frequency}},
                [&](nn::ErrorStatus status, const sp<nn::IBuffer>& buffer, std::uint32_t token) {
                    result = {status, buffer, token};
                });
        CHECK(result.status == nn::ErrorStatus::NONE);
        return result;
    }

    nn::ErrorStatus clear(const Buffer& buffer) {
        std::fill(copy_.argument(0).begin(), copy_.argument(0).end(), std::byte{0});
        return buffer.buffer->copyFrom(copy_.memory(), {});
    }

    nn::ErrorStatus step(std::uint32_t from, std::uint32_t to) const {
        nn::Request request;
        request.inputs = {input_.requestArgument(0, 0), {}};
        request.inputs[1].location.poolIndex = 1;
        request.outputs.resize(1);
        request.outputs[0].location.poolIndex = 2;
        request.pools.resize(3);
        request.pools[0].hidlMemory(input_.memory());
        request.pools[1].token(from);
        request.pools[2].token(to);
        return vnpu::sim::execute(context_, model_, request, {}).status;
    }

    /// The number of bytes of the buffer that differ from the result of `steps` steps from zero.
    std::size_t wrongBytes(const Buffer& buffer, int steps) {
        REQUIRE(buffer.buffer->copyTo(copy_.memory()) == nn::ErrorStatus::NONE);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < kStateBytes; ++i) {
            const auto expected = static_cast<std::byte>(static_cast<int>(i % 13) * steps);
            wrong += copy_.argument(0)[i] == expected ? 0U : 1U;
        }
        return wrong;
    }

  private:
    ClientContext& context_;
    vnpu::sim::Network network_;
    RequestPool input_;
    RequestPool copy_;
    sp<nn::IPreparedModel> model_;
};

std::uint32_t perf(ClientContext& context, regs::PerfEvent event) {
    return context.port().read32(regs::PerfCounter::kSpec.at(static_cast<std::uint32_t>(event)));
}

/// The cost of one execution.
struct Cost {
    std::uint32_t readBytes = 0;
    std::uint32_t writtenBytes = 0;
    std::chrono::nanoseconds time{};
};

Cost measure(ClientContext& context, const std::function<void()>& work) {
    const std::uint32_t read = perf(context, regs::PerfEvent::kDmaBytesRead);
    const std::uint32_t written = perf(context, regs::PerfEvent::kDmaBytesWritten);
    const auto begin = context.now();
    work();
    const auto end = context.now();
    return {perf(context, regs::PerfEvent::kDmaBytesRead) - read,
            perf(context, regs::PerfEvent::kDmaBytesWritten) - written, end - begin};
}

vnpu::hw::NpuConfig edgeWith(std::uint32_t residentKib) {
    auto config = vnpu::sim::loadConfig("edge");
    config.sram.residentKib = residentKib;
    return config;
}

void onPlatform(std::uint32_t residentKib, Placements& placements,
                const std::function<void(ClientContext&)>& body) {
    vnpu::sim::Platform platform({.config = edgeWith(residentKib),
                                  .deviceObserver = nullptr,
                                  .driverObserver = &placements});
    platform.addClient("state", 10001, body);
    platform.run();
}

}  // namespace

TEST_SUITE_BEGIN("integration/on_chip_state");

TEST_CASE("a state kept on chip saves DRAM traffic and the caller's time [MD-2]") {
    simCase([] {
        Placements placements;
        onPlatform(64, placements, [&](ClientContext& context) {
            StateClient client(context);
            constexpr int kSteps = 6;
            constexpr float kHot = 1.0F;
            constexpr float kCold = 0.01F;  // less than the two pages of sixteen
            Cost steady[2];
            for (const bool isHot : {false, true}) {
                const Buffer buffers[] = {client.allocate(isHot ? kHot : kCold),
                                          client.allocate(isHot ? kHot : kCold)};
                const auto place = isHot ? MemoryPlace::kOnChip : MemoryPlace::kDeviceDram;
                CHECK(placements.seen.back().place == place);
                CHECK(placements.seen.back().uid == 10001);
                CHECK(vnpu::driver::countersOf(context.device()).onChipBytes ==
                      (isHot ? 4 * kPage : 0));
                REQUIRE(client.clear(buffers[0]) == nn::ErrorStatus::NONE);
                const auto before = vnpu::driver::countersOf(context.device());
                for (int step = 0; step < kSteps; ++step) {
                    const Cost cost = measure(context, [&] {
                        CHECK(client.step(buffers[step % 2].token, buffers[(step + 1) % 2].token) ==
                              nn::ErrorStatus::NONE);
                    });
                    // x comes from the client's pool in either case.
                    CHECK(cost.readBytes == kStateBytes * (isHot ? 1 : 2));
                    CHECK(cost.writtenBytes == kStateBytes * (isHot ? 0 : 1));
                    steady[isHot ? 1 : 0] = cost;
                }
                const auto after = vnpu::driver::countersOf(context.device());
                CHECK(after.hostCopiedBytes == before.hostCopiedBytes);
                CHECK(client.wrongBytes(buffers[kSteps % 2], kSteps) == 0);
            }
            // DRAM is the bottleneck: 2 * 6000 bytes at 3.75 a cycle are 3200 cycles, of which the
            // on-chip transfers and the overlap take some back.
            const auto saved = steady[0].time - steady[1].time;
            CHECK(saved > std::chrono::nanoseconds(3200 / 2));
            CHECK(saved < std::chrono::nanoseconds(3200 + 4 * 250));  // and four latencies
        });
    });
}

TEST_CASE("a device without resident memory gives the same results [MD-2]") {
    simCase([] {
        Placements placements;
        onPlatform(0, placements, [&](ClientContext& context) {
            StateClient client(context);
            const Buffer one = client.allocate(1.0F);
            const Buffer other = client.allocate(1.0F);
            CHECK(placements.seen.back().place == MemoryPlace::kDeviceDram);
            REQUIRE(client.clear(one) == nn::ErrorStatus::NONE);
            for (int step = 0; step < 2; ++step) {
                CHECK(client.step(one.token, other.token) == nn::ErrorStatus::NONE);
                CHECK(client.step(other.token, one.token) == nn::ErrorStatus::NONE);
            }
            CHECK(client.wrongBytes(one, 4) == 0);
        });
    });
}

TEST_CASE("the remaining on-chip memory decides: a pair may be split [MD-2] [MD-6]") {
    simCase([] {
        Placements placements;
        onPlatform(12, placements, [&](ClientContext& context) {
            StateClient client(context);
            const Buffer one = client.allocate(1.0F);
            const Buffer other = client.allocate(1.0F);  // needs two pages, one is left
            REQUIRE(placements.seen.size() == 2);
            CHECK(placements.seen[0].place == MemoryPlace::kOnChip);
            CHECK(placements.seen[1].place == MemoryPlace::kDeviceDram);
            REQUIRE(client.clear(one) == nn::ErrorStatus::NONE);
            const Cost out = measure(context, [&] { client.step(one.token, other.token); });
            CHECK(out.readBytes == kStateBytes);
            CHECK(out.writtenBytes == kStateBytes);
            const Cost back = measure(context, [&] { client.step(other.token, one.token); });
            CHECK(back.readBytes == 2 * kStateBytes);
            CHECK(back.writtenBytes == 0);
            CHECK(client.wrongBytes(one, 2) == 0);
        });
    });
}

TEST_CASE("two apps' states on chip are separate [MD-3]") {
    simCase([] {
        constexpr int kSteps = 8;
        std::uint32_t tokens[2] = {};
        int arrived = 0;
        vnpu::sim::Platform platform(
                {.config = edgeWith(64), .deviceObserver = nullptr, .driverObserver = nullptr});
        for (std::uint32_t app = 0; app < 2; ++app) {
            platform.addClient("app", 10001 + app, [&, app](ClientContext& context) {
                StateClient client(context);
                const Buffer buffers[] = {client.allocate(1.0F), client.allocate(1.0F)};
                REQUIRE(client.clear(buffers[0]) == nn::ErrorStatus::NONE);
                tokens[app] = buffers[0].token;
                ++arrived;
                while (arrived < 2) {
                    context.sleepUntil(context.now() + std::chrono::microseconds(10));
                }
                CHECK(vnpu::driver::countersOf(context.device()).onChipBytes == 8 * kPage);
                CHECK(client.step(tokens[1 - app], buffers[1].token) ==
                      nn::ErrorStatus::INVALID_ARGUMENT);
                CHECK(client.step(buffers[0].token, tokens[1 - app]) ==
                      nn::ErrorStatus::INVALID_ARGUMENT);
                // Each page of the window is in one table, once.
                const auto entries =
                        vnpu::test::DeviceMemory(context.port())
                                .pagesInto(regs::kResidentBase, regs::kResidentBase + 0x10000);
                std::set<std::uint64_t> pages;
                for (const std::uint64_t* entry : entries) {
                    pages.insert(vnpu::hw::PageTableEntry::address(*entry));
                }
                CHECK(entries.size() == 8);
                CHECK(pages.size() == 8);
                CHECK(client.clear(buffers[0]) == nn::ErrorStatus::NONE);
                for (int step = 0; step < kSteps; ++step) {
                    CHECK(client.step(buffers[step % 2].token, buffers[(step + 1) % 2].token) ==
                          nn::ErrorStatus::NONE);
                }
                CHECK(client.wrongBytes(buffers[kSteps % 2], kSteps) == 0);
                ++arrived;
                while (arrived < 4) {
                    context.sleepUntil(context.now() + std::chrono::microseconds(10));
                }
            });
        }
        platform.run();
    });
}

TEST_CASE("a page table entry after the window's end fails only its job [E-1]") {
    simCase([] {
        Placements placements;
        onPlatform(64, placements, [&](ClientContext& context) {
            StateClient client(context);
            const Buffer one = client.allocate(1.0F);
            Buffer other = client.allocate(1.0F);
            REQUIRE(client.clear(one) == nn::ErrorStatus::NONE);
            const auto entries =
                    vnpu::test::DeviceMemory(context.port())
                            .pagesInto(regs::kResidentBase, regs::kResidentBase + 0x10000);
            REQUIRE(entries.size() == 4);
            const std::uint64_t saved = *entries[0];
            *entries[0] =
                    vnpu::hw::PageTableEntry::page(regs::kResidentBase + 0x10000, true, false);
            CHECK(client.step(one.token, other.token) == nn::ErrorStatus::GENERAL_FAILURE);
            *entries[0] = saved;
            other = {};  // and its entries in the TLB of this app
            other = client.allocate(1.0F);
            CHECK(client.step(one.token, other.token) == nn::ErrorStatus::NONE);
            CHECK(client.wrongBytes(other, 1) == 0);
        });
    });
}

TEST_SUITE_END();
