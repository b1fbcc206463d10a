// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <doctest/doctest.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>

#include <type_traits>
#include <utility>

#include "tests/hal/test_support.h"

namespace {

using android::DEAD_OBJECT;
using android::sp;
using android::hardware::Return;
using android::hardware::Status;
using android::hardware::Void;
using android::hardware::neuralnetworks::V1_0::ErrorStatus;
using vnpu::hal::test::aborts;

struct Base : android::RefBase {};
struct Derived : Base {};

TEST_SUITE_BEGIN("hal/status");

TEST_CASE("describes the failure") {
    CHECK(Status::ok().isOk());
    CHECK(Status::fromStatusT(android::OK).isOk());
    const Status dead = Status::fromStatusT(DEAD_OBJECT);
    CHECK_FALSE(dead.isOk());
    CHECK(dead.exceptionCode() == Status::EX_TRANSACTION_FAILED);
    CHECK(dead.transactionError() == DEAD_OBJECT);
    const Status illegal = Status::fromExceptionCode(Status::EX_ILLEGAL_ARGUMENT, "no such slot");
    CHECK(illegal.description() == "exception -3: no such slot");
}

TEST_CASE("a return holds a value") {
    Return<ErrorStatus> result = ErrorStatus::INVALID_ARGUMENT;
    CHECK(result.isOk());
    CHECK(result != ErrorStatus::NONE);
    CHECK(static_cast<ErrorStatus>(result) == ErrorStatus::INVALID_ARGUMENT);
    CHECK(result.withDefault(ErrorStatus::NONE) == ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("a return can only be moved") {
    static_assert(!std::is_copy_constructible_v<Return<int>>);
    static_assert(std::is_move_constructible_v<Return<int>>);
    static_assert(!std::is_copy_constructible_v<Return<void>>);
}

TEST_CASE("a failed return returns the default") {
    Return<int> result = Status::fromStatusT(DEAD_OBJECT);
    CHECK(result.isDeadObject());
    CHECK(result.withDefault(3) == 3);
}

TEST_CASE("a return of an interface accepts pointers of every kind") {
    const Return<sp<Base>> raw = new Derived;
    const Return<sp<Base>> strong = sp<Derived>(new Derived);
    Return<sp<Base>> none = nullptr;
    CHECK(sp<Base>(raw) != nullptr);
    CHECK(sp<Base>(strong) != nullptr);
    CHECK(none.withDefault(new Base) == nullptr);
}

TEST_CASE("a failure that is not checked ends the process") {
    CHECK(aborts([] { Return<void> result = Status::fromStatusT(DEAD_OBJECT); }));
    CHECK(aborts([] {
        Return<void> result = Status::fromStatusT(DEAD_OBJECT);
        result = Void();
        (void)result.isOk();
    }));
}

TEST_CASE("a failure that is checked or moved on does not end the process") {
    Return<void> result = Status::fromStatusT(DEAD_OBJECT);
    Return<void> moved = std::move(result);
    CHECK_FALSE(moved.isOk());
    moved = Void();
    CHECK(moved.isOk());
}

TEST_CASE("the value of a failed call ends the process") {
    CHECK(aborts([] {
        const Return<int> result = Status::fromStatusT(DEAD_OBJECT);
        const int value = result;
        (void)value;
    }));
}

TEST_SUITE_END();

}  // namespace
