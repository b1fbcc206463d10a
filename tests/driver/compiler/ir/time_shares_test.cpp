// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/time_shares.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

namespace vnpu::driver::test {
namespace {

using hw::Engine;
using Shares = std::vector<std::uint64_t>;

std::uint64_t sumOf(const Shares& shares) {
    return std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/ir/time_shares");

TEST_CASE("the array's operation has the time before that of any other engine [E-6]") {
    // A load, the array and a store of operation 0; the array of operation 1 and its early load.
    const std::vector<EngineSpan> spans = {{Engine::kDma1, 0, 10, 30},
                                           {Engine::kDma1, 1, 30, 45},
                                           {Engine::kMac, 0, 30, 60},
                                           {Engine::kMac, 1, 65, 80},
                                           {Engine::kDma2, 0, 60, 90}};
    // 5 to 10 waits for the load; 60 to 65 stores; 80 to 90 stores; 90 to 95 is nobody's.
    CHECK(timeShares(spans, 2, 5, 95) == Shares{5 + 20 + 30 + 5 + 10, 15, 5});
}

TEST_CASE("vector unit, DSP and transfers follow in this order") {
    const std::vector<EngineSpan> spans = {{Engine::kDma0, 0, 0, 100},
                                           {Engine::kDsp, 1, 10, 40},
                                           {Engine::kVector, 2, 20, 30},
                                           {Engine::kMac, 3, 25, 28}};
    CHECK(timeShares(spans, 4, 0, 100) == Shares{70, 20, 7, 3, 0});
}

TEST_CASE("transfers count for the first operation, idle time for the next command") {
    const std::vector<EngineSpan> spans = {
            {Engine::kDma0, 2, 0, 20}, {Engine::kDma1, 1, 10, 30}, {Engine::kVector, 0, 50, 60}};
    CHECK(timeShares(spans, 3, 0, 60) == Shares{20 + 10, 20, 10, 0});
}

TEST_CASE("the output stage of a command does not take the time of the next one") {
    const std::vector<EngineSpan> spans = {{Engine::kMac, 0, 0, 30}, {Engine::kMac, 1, 20, 50}};
    CHECK(timeShares(spans, 2, 0, 50) == Shares{20, 30, 0});
}

TEST_CASE("spans without an operation, beyond the limits, or empty") {
    const std::vector<EngineSpan> spans = {{Engine::kMac, 0xFFFFFFFF, 0, 10},
                                           {Engine::kVector, 0, 5, 5},
                                           {Engine::kDma3, 0, 10, 200}};
    CHECK(timeShares(spans, 1, 4, 100) == Shares{90, 6});
    CHECK(timeShares({}, 2, 7, 10) == Shares{0, 0, 3});
    CHECK(timeShares(spans, 1, 10, 10) == Shares{0, 0});
    CHECK(timeShares(spans, 1, 10, 5) == Shares{0, 0});
}

TEST_CASE("the parts of random spans add up, and agree with a count of every cycle") {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        constexpr std::size_t kOperations = 4;
        constexpr std::uint64_t kEnd = 60;
        std::vector<EngineSpan> spans;
        std::array<std::uint64_t, hw::kEngineCount> free{};
        for (int i = 0; i < 20; ++i) {
            const auto engine = static_cast<Engine>(random() % 7);
            std::uint64_t& at = free[hw::engineIndex(engine)];
            const std::uint64_t begin = at + random() % 6;
            at = begin + random() % 9;
            spans.push_back(
                    {engine, static_cast<std::uint32_t>(random() % kOperations), begin, at});
        }
        Shares expected(kOperations + 1, 0);
        for (std::uint64_t cycle = 0; cycle < kEnd; ++cycle) {
            const auto running = [&](bool isWanted(Engine)) {
                std::size_t first = kOperations;
                for (const EngineSpan& span : spans) {
                    if (isWanted(span.engine) && span.begin <= cycle && cycle < span.end) {
                        first = std::min<std::size_t>(first, span.operation);
                    }
                }
                return first;
            };
            std::size_t owner = running([](Engine e) { return e == Engine::kMac; });
            owner = owner < kOperations ? owner
                                        : running([](Engine e) { return e == Engine::kVector; });
            owner = owner < kOperations ? owner
                                        : running([](Engine e) { return e == Engine::kDsp; });
            owner = owner < kOperations ? owner : running(hw::isDma);
            if (owner == kOperations) {
                const EngineSpan* next = nullptr;
                for (const EngineSpan& span : spans) {
                    if (span.begin > cycle && (next == nullptr || span.begin < next->begin)) {
                        next = &span;
                    }
                }
                owner = next == nullptr ? kOperations : next->operation;
            }
            ++expected[owner];
        }
        const Shares shares = timeShares(spans, kOperations, 0, kEnd);
        CHECK(shares == expected);
        CHECK(sumOf(shares) == kEnd);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
