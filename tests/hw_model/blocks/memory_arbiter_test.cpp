// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/memory_arbiter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>

using vnpu::hw::MemoryArbiter;
using vnpu::hw::NpuConfig;

namespace {

NpuConfig slowDram() {
    NpuConfig config;  // DRAM 4, interconnect 16 bytes per cycle, chunks of 4096 bytes
    return config;
}

/// Background bursts of 512 bytes (128 cycles), one every 128 / share cycles.
NpuConfig loadedDram(double share) {
    NpuConfig config = slowDram();
    config.dram.background = share;
    return config;
}

/// The rules of memory_arbiter.h for transfers of DMA channels without background load, computed
/// chunk by chunk in the order of requests; times in cycles.
class ChunkByChunk {
  public:
    void start(std::size_t flow, double request, double bytes, double rate, double passes) {
        flows_[flow] = {request, bytes, rate, passes};
    }

    /// Serves all requests before `cycle`.
    void serve(double cycle) {
        while (true) {
            auto next = flows_.end();
            for (auto it = flows_.begin(); it != flows_.end(); ++it) {
                const bool asks = it->second.bytesLeft > 0 && it->second.request < cycle;
                if (asks && (next == flows_.end() || it->second.request < next->second.request)) {
                    next = it;
                }
            }
            if (next == flows_.end()) {
                return;
            }
            Flow& flow = next->second;
            const double bytes = std::min(flow.bytesLeft, 4096.0);
            const double begin = std::max({flow.request, interconnectFree_, dramFree_});
            interconnectFree_ = begin + bytes * flow.passes / kInterconnectRate;
            dramFree_ = begin + bytes * flow.passes / kDramRate;
            flow.request = begin + bytes / flow.rate;
            flow.bytesLeft -= bytes;
        }
    }

    void stop(std::size_t flow, double cycle) {
        serve(cycle);
        flows_.erase(flow);
    }

    double endCycle(std::size_t flow) const {
        ChunkByChunk future = *this;
        future.serve(1e18);
        return future.flows_.at(flow).request;
    }

    static constexpr double kInterconnectRate = 16;
    static constexpr double kDramRate = 4;

  private:
    struct Flow {
        double request;
        double bytesLeft;
        double rate;
        double passes;
    };
    std::map<std::size_t, Flow> flows_;
    double interconnectFree_ = 0;
    double dramFree_ = 0;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/memory_arbiter");

TEST_CASE("serving many chunks at once equals serving each one [E-3]") {
    // Rates whose chunks take whole cycles, so that simultaneous requests are simultaneous in both
    // models.
    constexpr double kRates[] = {4, 4, 2, 1, 0.5};
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto upTo = [&random](std::uint32_t limit) {
            return static_cast<std::uint32_t>(random()) % limit;
        };
        MemoryArbiter arbiter(slowDram());
        ChunkByChunk expected;
        std::uint64_t now = 0;
        for (int step = 0; step < 40; ++step) {
            CAPTURE(step);
            const std::size_t flow = upTo(4);
            if (!arbiter.isActive(flow)) {
                const std::uint64_t request = now + std::uint64_t{100} * upTo(3);
                constexpr std::uint64_t kChunk = 4096;
                const std::uint64_t bytes =
                        upTo(3) == 0 ? kChunk * (std::uint64_t{1} + upTo(100)) : 1 + upTo(400'000);
                const std::uint32_t passes = 1 + upTo(2);
                const double rate = kRates[upTo(5)] / passes;
                arbiter.start(flow, now,
                              {.requestCycle = request,
                               .bytes = bytes,
                               .bytesPerCycle = rate,
                               .passes = passes});
                expected.serve(static_cast<double>(now));
                expected.start(flow, static_cast<double>(request), static_cast<double>(bytes), rate,
                               passes);
            } else if (upTo(4) == 0) {
                arbiter.stop(flow, now);
                expected.stop(flow, static_cast<double>(now));
            }
            std::uint64_t first = ~0ULL;
            for (std::size_t i = 0; i < 4; ++i) {
                if (arbiter.isActive(i)) {
                    REQUIRE(arbiter.endCycle(i) ==
                            static_cast<std::uint64_t>(std::ceil(expected.endCycle(i))));
                    first = std::min(first, arbiter.endCycle(i));
                }
            }
            // Advances to the next end, or to a time before it.
            now = first == ~0ULL ? now + upTo(1000) : now + (first - now) / (upTo(2) == 0 ? 1 : 3);
            for (std::size_t i = 0; i < 4; ++i) {
                if (arbiter.isActive(i) && arbiter.endCycle(i) <= now) {
                    arbiter.stop(i, now);
                    expected.stop(i, static_cast<double>(now));
                }
            }
        }
    }
}

TEST_CASE("a lone transfer takes its bytes over its rate, rounded up to whole cycles [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(0, 10, {.requestCycle = 100, .bytes = 40'000, .bytesPerCycle = 4});
    CHECK(arbiter.endCycle(0) == 100 + 10'000);
    arbiter.stop(0, 10'100);
    arbiter.start(0, 20'000, {.requestCycle = 20'000, .bytes = 1, .bytesPerCycle = 4});
    CHECK(arbiter.endCycle(0) == 20'001);
}

TEST_CASE("an odd bandwidth does not lose cycles over many chunks [E-3]") {
    NpuConfig config = slowDram();
    config.dram.bytesPerCycle = 12.8;
    MemoryArbiter arbiter(config);
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 64'000'000, .bytesPerCycle = 12.8});
    CHECK(arbiter.endCycle(0) == 5'000'000);
}

TEST_CASE("two equal transfers take turns and end together [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    // 131072 bytes at 4 a cycle; the flow served first ends one chunk (1024 cycles) earlier.
    CHECK(arbiter.endCycle(1) == 32'768);
    CHECK(arbiter.endCycle(0) == 32'768 - 1'024);
}

TEST_CASE("a late transfer shares only the remaining time [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    CHECK(arbiter.endCycle(0) == 16'384);
    // Half done: 32768 bytes left, and 32768 come in.
    arbiter.start(1, 8'192, {.requestCycle = 8'192, .bytes = 32'768, .bytesPerCycle = 4});
    CHECK(arbiter.endCycle(0) == 24'576 - 1'024);
    CHECK(arbiter.endCycle(1) == 24'576);
}

TEST_CASE("a stopped transfer releases its share [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    // Eight chunks of 1024 cycles are over, four of each; the rest of flow 0 runs alone.
    CHECK(arbiter.stop(1, 8'192) == 4 * 4'096);
    CHECK(arbiter.dramBusyCycles() == 4 * 1'024);
    CHECK(arbiter.endCycle(0) == 8'192 + 12 * 1'024);
    CHECK_FALSE(arbiter.isActive(1));
    CHECK(arbiter.stop(0, arbiter.endCycle(0)) == 65'536);
}

TEST_CASE("the controller waits for bursts, not for chunks [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
    constexpr std::size_t kController = MemoryArbiter::kControllerFlow;
    arbiter.start(kController, 5'000, {.requestCycle = 5'000, .bytes = 128, .bytesPerCycle = 4});
    // A burst of 64 bytes takes 16 cycles, and there are two others.
    CHECK(arbiter.endCycle(kController) == 5'000 + 2 * 16 + 32);
    // Its own 32 cycles are added to those of the others.
    CHECK(std::max(arbiter.endCycle(0), arbiter.endCycle(1)) == 2 * 16'384 + 32);
    arbiter.stop(kController, arbiter.endCycle(kController));
    CHECK(arbiter.endCycle(1) == 2 * 16'384 + 32);
}

TEST_CASE("fast DRAM lets slow channels overlap [E-3]") {
    NpuConfig config = slowDram();
    config.dram.bytesPerCycle = 64;
    config.interconnect.bytesPerCycle = 64;
    MemoryArbiter arbiter(config);
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 16'384, .bytesPerCycle = 16});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 16'384, .bytesPerCycle = 16});
    CHECK(arbiter.endCycle(0) == 1'024);
    // Its first chunk waited 4096 / 64 cycles at the DRAM.
    CHECK(arbiter.endCycle(1) == 1'024 + 64);
}

TEST_CASE("memory to memory occupies the DRAM twice [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(3, 0, {.requestCycle = 0, .bytes = 8'192, .bytesPerCycle = 2, .passes = 2});
    CHECK(arbiter.endCycle(3) == 4'096);
    arbiter.stop(3, 4'096);
    CHECK(arbiter.dramBusyCycles() == 4'096);
}

TEST_CASE("the generation changes with new predictions [E-4]") {
    MemoryArbiter arbiter(slowDram());
    const std::uint64_t before = arbiter.generation();
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 64, .bytesPerCycle = 4});
    CHECK(arbiter.generation() != before);
}

TEST_CASE("external load takes its share from a transfer limited by DRAM [E-3]") {
    for (const double share : {0.25, 0.5, 0.75}) {
        CAPTURE(share);
        MemoryArbiter arbiter(loadedDram(share));
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 1 << 20, .bytesPerCycle = 4});
        // Everything requested before the last chunk has been served before it; the chunk was
        // requested its own 1024 cycles and the background's turns, 1024 / (1 - share) in all,
        // before the end.
        const double left = 1 - share;
        CHECK(static_cast<double>(arbiter.endCycle(0)) ==
              doctest::Approx((1 << 18) / left - share * 1024 / (left * left)).epsilon(0.001));
    }
}

TEST_CASE("bursts and chunks take turns in the order of their requests, as counted by hand [E-3]") {
    MemoryArbiter arbiter(loadedDram(0.5));  // background requests at 0, 256, 512, ...
    arbiter.start(0, 0, {.requestCycle = 1, .bytes = 12'288, .bytesPerCycle = 4});
    // 128: the first chunk, 1024 cycles, behind the burst of 0. 1152: those of 256 to 1024,
    // four. 1664: the second chunk. 2688: those of 1280 to 2560, six. 3456: the third.
    CHECK(arbiter.endCycle(0) == 3456 + 1024);
}

TEST_CASE("a short transfer waits for the rest of the current burst [E-3] [E-4]") {
    // 10,000,000 is 128 cycles after the begin of a burst, which ends then.
    const std::uint64_t cycles[][2] = {{9'999'900, 10'000'016},
                                       {10'000'000, 10'000'016},
                                       {10'000'100, 10'000'116},
                                       {10'000'128, 10'000'144},
                                       {10'000'130, 10'000'272}};
    for (const auto& requestAndEnd : cycles) {
        const std::uint64_t request = requestAndEnd[0];
        CAPTURE(request);
        MemoryArbiter arbiter(loadedDram(0.5));
        arbiter.start(2, 5, {.requestCycle = request, .bytes = 64, .bytesPerCycle = 4});
        CHECK(arbiter.endCycle(2) == requestAndEnd[1]);
    }
}

TEST_CASE("under external load, two transfers still share evenly [E-3]") {
    MemoryArbiter arbiter(loadedDram(0.5));
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 1 << 18, .bytesPerCycle = 4});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 1 << 18, .bytesPerCycle = 4});
    const std::uint64_t first = arbiter.endCycle(0);
    const std::uint64_t second = arbiter.endCycle(1);
    CHECK(static_cast<double>(second) == doctest::Approx(2.0 * (1 << 17)).epsilon(0.02));
    CHECK(second - first <= 2 * 1024 + 128);
}

TEST_CASE("a slow channel loses no more than a burst per chunk [E-3]") {
    MemoryArbiter arbiter(loadedDram(0.5));
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 1 << 18, .bytesPerCycle = 1});
    CHECK(arbiter.endCycle(0) >= 1 << 18);
    CHECK(arbiter.endCycle(0) <= (1 << 18) + 64 * 128);
}

TEST_CASE("the rest of a stopped transfer is served to the others, with external load [E-3]") {
    MemoryArbiter arbiter(loadedDram(0.25));
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 1 << 20, .bytesPerCycle = 4});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 1 << 20, .bytesPerCycle = 4});
    arbiter.stop(1, 100'000);
    // Each has had 3/8 of 100,000 cycles; the rest of flow 0 has 3/4.
    const double left = (1 << 18) - 37'500.0;
    CHECK(static_cast<double>(arbiter.endCycle(0)) ==
          doctest::Approx(100'000 + left / 0.75).epsilon(0.02));
}

TEST_CASE("the DRAM is busy as long as its rows take [E-3]") {
    MemoryArbiter arbiter(slowDram());
    arbiter.start(0, 0, {.requestCycle = 0, .bytes = 8'192, .bytesPerCycle = 2, .dramRate = 2});
    arbiter.start(1, 0, {.requestCycle = 0, .bytes = 8'192, .bytesPerCycle = 4});
    // Chunks of 2048 and 1024 cycles in turn.
    CHECK(arbiter.endCycle(0) == 2048 + 1024 + 2048);
    CHECK(arbiter.endCycle(1) == 2 * (2048 + 1024));
    arbiter.stop(0, 5'120);
    CHECK(arbiter.dramBusyCycles() == 4'096);
}

TEST_SUITE_END();
