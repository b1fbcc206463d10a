// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/user_accounts.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>

namespace vnpu::driver::test {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint32_t kFirst = 10001, kSecond = 10002, kThird = 10003;
constexpr nanoseconds kSlice{1000};

}  // namespace

TEST_SUITE_BEGIN("driver/qos/user_accounts");

TEST_CASE("who returns has the lowest account of the others less a slice, or his own [Q-1]") {
    UserAccounts accounts;
    accounts.charge(kFirst, nanoseconds(5000), {kFirst});
    accounts.onReturn(kSecond, kSlice);
    CHECK(accounts.of(kSecond) == nanoseconds(4000));
    accounts.charge(kSecond, nanoseconds(700), {kFirst, kSecond});  // 5000 : 4700
    accounts.onReturn(kSecond, kSlice);
    CHECK(accounts.of(kSecond) == nanoseconds(4700));
}

TEST_CASE("who returns goes next even if the lowest account was higher before [Q-1]") {
    UserAccounts accounts;
    accounts.charge(kSecond, nanoseconds(1500), {kFirst, kSecond});
    accounts.charge(kFirst, nanoseconds(1800), {kFirst});
    accounts.onReturn(kSecond, kSlice);
    accounts.charge(kSecond, nanoseconds(10), {kFirst, kSecond});  // 1800 : 1510
    accounts.onReturn(kThird, kSlice);
    CHECK(accounts.of(kThird) == nanoseconds(510));
    CHECK(accounts.turnLeft(kSecond, {kFirst, kSecond, kThird}, kSlice) == nanoseconds(0));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
