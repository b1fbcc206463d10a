// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/arrivals.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using vnpu::sim::ArrivalKind;
using vnpu::sim::ArrivalSequence;
using vnpu::sim::askedRateHz;
using vnpu::sim::ClientSpec;

TEST_SUITE_BEGIN("sim/scenario/arrivals");

TEST_CASE("a period repeats from the phase on") {
    ClientSpec client;
    client.periodNs = 100;
    client.phaseNs = 7;
    ArrivalSequence arrivals(client, 1);
    CHECK(arrivals.next(0) == 7);
    CHECK(arrivals.next(5000) == 107);
    CHECK(arrivals.next(0) == 207);
}

TEST_CASE("a rate does not drift") {
    ClientSpec client;
    client.rateHz = 30.0;
    ArrivalSequence arrivals(client, 1);
    std::uint64_t last = 0;
    for (int i = 0; i <= 30; ++i) {
        last = arrivals.next(0);
    }
    CHECK(last == 1'000'000'000);  // the 31st frame of 30 Hz, where rounding each period would
                                   // give 999 999 990
}

TEST_CASE("a closed loop waits for the think time after each answer") {
    ClientSpec client;
    client.arrival = ArrivalKind::kClosedLoop;
    client.phaseNs = 3;
    client.thinkNs = 50;
    ArrivalSequence arrivals(client, 1);
    CHECK(arrivals.next(0) == 3);
    CHECK(arrivals.next(1000) == 1050);
    CHECK(arrivals.next(2000) == 2050);
}

TEST_CASE("Poisson arrivals have the mean and the spread of their rate [E-4]") {
    ClientSpec client;
    client.arrival = ArrivalKind::kPoisson;
    client.rateHz = 1000.0;  // a mean gap of 1 ms
    ArrivalSequence arrivals(client, 5);
    constexpr int kCount = 20'000;
    double squares = 0.0;
    std::uint64_t previous = 0;
    for (int i = 0; i < kCount; ++i) {
        const std::uint64_t time = arrivals.next(0);
        REQUIRE(time >= previous);
        const double gapMs = static_cast<double>(time - previous) * 1e-6;
        squares += gapMs * gapMs;
        previous = time;
    }
    // Exponential gaps of mean 1 have a mean square of 2; 20 000 of them keep within a few per
    // cent.
    CHECK(static_cast<double>(previous) * 1e-6 / kCount == doctest::Approx(1.0).epsilon(0.03));
    CHECK(squares / kCount == doctest::Approx(2.0).epsilon(0.08));
}

TEST_CASE("Poisson arrivals follow the seed [E-4]") {
    ClientSpec client;
    client.arrival = ArrivalKind::kPoisson;
    client.rateHz = 1000.0;
    ArrivalSequence one(client, 5);
    ArrivalSequence same(client, 5);
    ArrivalSequence other(client, 6);
    const std::uint64_t first = one.next(0);
    CHECK(same.next(0) == first);
    CHECK(other.next(0) != first);
}

TEST_CASE("jitter delays each frame independently, up to its limit [E-4]") {
    ClientSpec client;
    client.periodNs = 1000;
    client.jitterNs = 400;
    ArrivalSequence arrivals(client, 3);
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const std::uint64_t delay = arrivals.next(0) - 1000 * i;
        least = std::min(least, delay);
        most = std::max(most, delay);
    }
    CHECK(least < 10);
    CHECK(most > 390);
    CHECK(most <= 400);
}

TEST_CASE("uniform arrivals fill the window in ascending order, and then end [E-4]") {
    ClientSpec client;
    client.arrival = ArrivalKind::kUniform;
    client.phaseNs = 50;
    client.windowNs = 1'000'000;
    client.count = 10'000;
    ArrivalSequence arrivals(client, 3);
    double sum = 0.0;
    std::uint64_t previous = 0;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t time = arrivals.next(0);
        REQUIRE(time >= std::max<std::uint64_t>(previous, 50));
        REQUIRE(time < 1'000'050);
        sum += static_cast<double>(time - 50);
        previous = time;
    }
    // The mean of a uniform distribution; 10 000 draws keep within 3 deviations of 0.29 %.
    CHECK(sum / 10'000 == doctest::Approx(500'000).epsilon(0.02));
    CHECK(arrivals.next(0) == ArrivalSequence::kNever);
    CHECK(askedRateHz(client) == 0.0);
}

TEST_CASE("a trace's times are offset by the phase [E-4]") {
    ClientSpec client;
    client.arrival = ArrivalKind::kTrace;
    client.phaseNs = 5;
    client.traceNs = {0, 70, 70};
    ArrivalSequence arrivals(client, 1);
    CHECK(arrivals.next(0) == 5);
    CHECK(arrivals.next(900) == 75);
    CHECK(arrivals.next(0) == 75);
    CHECK(arrivals.next(0) == ArrivalSequence::kNever);
}

TEST_CASE("the rate that a client asks for is reported") {
    ClientSpec client;
    client.periodNs = 20'000'000;
    CHECK(askedRateHz(client) == doctest::Approx(50.0));
    client.periodNs = 0;
    client.rateHz = 30.0;
    CHECK(askedRateHz(client) == 30.0);
    client.arrival = ArrivalKind::kClosedLoop;
    CHECK(askedRateHz(client) == 0.0);
}

TEST_SUITE_END();

}  // namespace
