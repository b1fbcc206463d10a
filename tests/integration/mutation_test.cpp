// SPDX-License-Identifier: Apache-2.0
// Corrupts one item at a time that the driver passes to the device, and requires that results or
// faults show it. This proves that the data path computes the results.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/integration/device_memory.h"
#include "tests/support/sim_case.h"

namespace {

using android::hardware::neuralnetworks::V1_3::ErrorStatus;
using android::hardware::neuralnetworks::V1_3::Priority;
using vnpu::sim::ClientContext;
using vnpu::sim::ExecutionPath;
using vnpu::sim::ModelRunner;
using vnpu::test::DeviceMemory;
using vnpu::test::simCase;

// chosen: the engines wait for most loads; on `edge` itself many loads end long before their data
// is needed, and a lost token then has no effect
constexpr double kSlowerMemory = 8;

/// Runs `body` as the only client of an `edge` device with slower memory, with the keyword network
/// prepared and its input filled.
void onKeywordNetwork(const std::function<void(ClientContext&, ModelRunner&)>& body) {
    simCase([&] {
        vnpu::sim::Platform::Options options;
        options.config = vnpu::sim::loadConfig("edge");
        options.config.dram.bytesPerCycle /= kSlowerMemory;
        vnpu::sim::Platform platform(std::move(options));
        platform.addClient("test", 10001, [&](ClientContext& context) {
            const auto network = vnpu::sim::loadNetwork("zoo:ds_cnn");
            const auto runner = ModelRunner::prepare(context, network, Priority::MEDIUM);
            for (std::size_t i = 0; i < runner->input(0).size(); ++i) {
                runner->input(0)[i] = static_cast<std::byte>(i * 37 % 251);
            }
            body(context, *runner);
        });
        platform.run();
    });
}

std::vector<std::byte> bytesOf(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
}

std::uint32_t racesOf(ClientContext& context) {
    namespace regs = vnpu::hw::regs;
    return context.port().read32(
            regs::PerfCounter::kSpec.at(static_cast<std::uint32_t>(regs::PerfEvent::kSramRaces)));
}

/// The headers of a stream, in order.
std::vector<vnpu::hw::CommandHeader*> headersOf(std::span<std::byte> stream) {
    std::vector<vnpu::hw::CommandHeader*> headers;
    vnpu::hw::CommandReader reader(stream);
    vnpu::hw::CommandView view;
    while (reader.next(view)) {
        headers.push_back(reinterpret_cast<vnpu::hw::CommandHeader*>(stream.data() + view.offset));
    }
    REQUIRE(reader.status() == vnpu::hw::JobStatus::kOk);
    return headers;
}

}  // namespace

TEST_SUITE_BEGIN("integration/mutation");

TEST_CASE("an undisturbed stream gives the same output twice and no race [E-2]") {
    onKeywordNetwork([](ClientContext& context, ModelRunner& runner) {
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        const auto first = bytesOf(runner.output(0));
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        CHECK(bytesOf(runner.output(0)) == first);
        CHECK(racesOf(context) == 0);
    });
}

TEST_CASE("a stream without its tokens races and computes different results [E-2]") {
    onKeywordNetwork([](ClientContext& context, ModelRunner& runner) {
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        const auto right = bytesOf(runner.output(0));
        const auto compiled = vnpu::driver::compiledModelOf(runner.preparedModel());
        const DeviceMemory memory(context.port());
        for (vnpu::hw::CommandHeader* header : headersOf(memory.find(compiled->commands))) {
            header->waitCount = 0;
            std::memset(header->waits, 0, sizeof(header->waits));
        }
        CHECK(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        CHECK(bytesOf(runner.output(0)) != right);
        CHECK(racesOf(context) > 0);
    });
}

TEST_CASE(
        "a lost token of each computation shows as a race or a wrong output, and none does lasting "
        "damage [E-2]") {
    onKeywordNetwork([](ClientContext& context, ModelRunner& runner) {
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        const auto right = bytesOf(runner.output(0));
        const auto compiled = vnpu::driver::compiledModelOf(runner.preparedModel());
        const DeviceMemory memory(context.port());
        std::uint32_t computations = 0;
        for (vnpu::hw::CommandHeader* header : headersOf(memory.find(compiled->commands))) {
            std::uint32_t seen = 0;
            for (std::uint8_t wait = 0; wait < header->waitCount; ++wait) {
                const vnpu::hw::CommandHeader saved = *header;
                std::copy(saved.waits + wait + 1, saved.waits + saved.waitCount,
                          header->waits + wait);
                header->waits[saved.waitCount - 1] = {};
                --header->waitCount;
                const std::uint32_t before = racesOf(context);
                CHECK(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
                const bool hasRaced = racesOf(context) != before;
                const bool isRight = bytesOf(runner.output(0)) == right;
                seen += hasRaced || !isRight ? 1 : 0;
                *header = saved;
            }
            // The last of a computation's operands to arrive decides when it starts, and the loss
            // of that token shows. The memory that a load writes is mostly free long before.
            const bool computes = header->engine == vnpu::hw::Engine::kMac ||
                                  header->engine == vnpu::hw::Engine::kVector;
            if (computes && header->waitCount > 0) {
                CAPTURE(header->operation);
                ++computations;
                CHECK(seen > 0);
            }
        }
        CHECK(computations >= 10);
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        CHECK(bytesOf(runner.output(0)) == right);
    });
}

TEST_CASE("two swapped pages of weights change the result [E-2]") {
    onKeywordNetwork([](ClientContext& context, ModelRunner& runner) {
        const auto pages = DeviceMemory(context.port()).clientPages();
        REQUIRE(pages.size() >= 4);
        // Nothing has run yet, so no translation is cached.
        std::swap(*pages[1], *pages[2]);
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        const auto wrong = bytesOf(runner.output(0));
        std::swap(*pages[1], *pages[2]);
        const auto again = vnpu::sim::loadNetwork("zoo:ds_cnn");
        const auto fresh = ModelRunner::prepare(context, again, Priority::MEDIUM);
        std::copy(runner.input(0).begin(), runner.input(0).end(), fresh->input(0).begin());
        REQUIRE(fresh->execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        CHECK(bytesOf(fresh->output(0)) != wrong);
    });
}

TEST_CASE("a missing page fails only its job [E-1]") {
    onKeywordNetwork([](ClientContext& context, ModelRunner& runner) {
        const auto pages = DeviceMemory(context.port()).clientPages();
        REQUIRE(pages.size() >= 4);
        const std::uint64_t saved = *pages[1];
        *pages[1] = 0;
        CHECK(runner.execute(ExecutionPath::kSync).status == ErrorStatus::GENERAL_FAILURE);
        *pages[1] = saved;
        CHECK(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
    });
}

TEST_CASE("a damaged opcode or address fails only its job [E-1]") {
    onKeywordNetwork([](ClientContext& context, ModelRunner& runner) {
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        const auto right = bytesOf(runner.output(0));
        const auto compiled = vnpu::driver::compiledModelOf(runner.preparedModel());
        const DeviceMemory memory(context.port());
        const auto headers = headersOf(memory.find(compiled->commands));
        vnpu::hw::CommandHeader& middle = *headers[headers.size() / 2];
        const vnpu::hw::CommandHeader saved = middle;
        middle.opcode = static_cast<vnpu::hw::Opcode>(0x7777);
        CHECK(runner.execute(ExecutionPath::kSync).status == ErrorStatus::GENERAL_FAILURE);
        middle = saved;
        const auto transfer = std::find_if(
                headers.begin(), headers.end(), [](const vnpu::hw::CommandHeader* header) {
                    return header->opcode == vnpu::hw::Opcode::kDmaTransfer;
                });
        REQUIRE(transfer != headers.end());
        auto* payload = reinterpret_cast<vnpu::hw::DmaTransfer*>(*transfer + 1);
        const vnpu::hw::DmaTransfer savedPayload = *payload;
        payload->source.offset = 1ULL << 40;
        CHECK(runner.execute(ExecutionPath::kSync).status == ErrorStatus::GENERAL_FAILURE);
        *payload = savedPayload;
        REQUIRE(runner.execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        CHECK(bytesOf(runner.output(0)) == right);
    });
}

TEST_SUITE_END();
