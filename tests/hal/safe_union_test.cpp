// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <doctest/doctest.h>
#include <vnpu/hal/shared_memory.h>

#include <array>
#include <cstring>
#include <utility>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using android::hidl::safe_union::V1_0::Monostate;
using vnpu::hal::test::aborts;
using vnpu::hal::test::openFdCount;
namespace V1_2 = android::hardware::neuralnetworks::V1_2;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

template <typename T>
std::array<unsigned char, sizeof(T)> bytesOf(const T& value) {
    std::array<unsigned char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), static_cast<const void*>(&value), sizeof(T));
    return bytes;
}

/// A union in storage whose bytes were all set before.
template <typename T>
class Dirty {
  public:
    Dirty() {
        std::memset(storage_, 0xAA, sizeof(storage_));
        value_ = new (static_cast<void*>(storage_)) T();
    }
    Dirty(const Dirty&) = delete;
    Dirty& operator=(const Dirty&) = delete;
    ~Dirty() { value_->~T(); }
    T& operator*() { return *value_; }

  private:
    alignas(T) unsigned char storage_[sizeof(T)];
    T* value_ = nullptr;
};

TEST_SUITE_BEGIN("hal/safe_union");

TEST_CASE("starts as its first member") {
    using ExtraParams = V1_2::Operand::ExtraParams;
    CHECK(ExtraParams().getDiscriminator() == ExtraParams::hidl_discriminator::none);
    CHECK(V1_3::OptionalTimePoint().getDiscriminator() ==
          V1_3::OptionalTimePoint::hidl_discriminator::none);
    const V1_3::Request::MemoryPool pool;
    CHECK(pool.getDiscriminator() == V1_3::Request::MemoryPool::hidl_discriminator::hidlMemory);
    CHECK_FALSE(pool.hidlMemory().valid());
    CHECK(V1_2::FmqRequestDatum().packetInformation().packetSize == 0);
}

TEST_CASE("starts with every byte zero") {
    Dirty<V1_2::FmqRequestDatum> request;
    CHECK(bytesOf(*request) == std::array<unsigned char, 24>{});
    Dirty<V1_2::FmqResultDatum> result;
    CHECK(bytesOf(*result) == std::array<unsigned char, 24>{});
    Dirty<V1_3::OptionalTimeoutDuration> duration;
    CHECK(bytesOf(*duration) == std::array<unsigned char, 16>{});
}

TEST_CASE("accepts empty braces as the default") {
    V1_3::OptionalTimePoint deadline;
    deadline.nanosecondsSinceEpoch(3);
    deadline = {};
    CHECK(deadline.getDiscriminator() == V1_3::OptionalTimePoint::hidl_discriminator::none);
}

TEST_CASE("holds the member that was set last") {
    V1_2::Operand::ExtraParams params;
    params.channelQuant({.scales = {0.5F, 0.25F}, .channelDim = 3});
    CHECK(params.getDiscriminator() ==
          V1_2::Operand::ExtraParams::hidl_discriminator::channelQuant);
    CHECK(params.channelQuant().scales[1] == 0.25F);
    params.extension({1, 2, 3});
    CHECK(params.extension().size() == 3);
    params.extension()[0] = 9;
    CHECK(std::as_const(params).extension()[0] == 9);
    params.none(Monostate());
    CHECK(params == V1_2::Operand::ExtraParams());
}

TEST_CASE("numbers its members in order of declaration") {
    using Request = V1_2::FmqRequestDatum;
    Request datum;
    datum.measureTiming(V1_2::MeasureTiming::YES);
    CHECK(static_cast<int>(datum.getDiscriminator()) == 6);
    CHECK(datum.measureTiming() == V1_2::MeasureTiming::YES);
    datum.poolIdentifier(-4);
    CHECK(static_cast<int>(datum.getDiscriminator()) == 5);
    V1_2::FmqResultDatum result;
    result.executionTiming({.timeOnDevice = 1, .timeInDriver = 2});
    CHECK(static_cast<int>(result.getDiscriminator()) == 3);
}

TEST_CASE("has its discriminator at offset 0 and its member where a reader expects it") {
    V1_2::FmqRequestDatum request;
    request.poolIdentifier(0x01020304);
    CHECK(bytesOf(request)[0] == 5);
    CHECK(bytesOf(request)[4] == 0x04);
    V1_2::FmqResultDatum result;
    result.operandDimensionValue(0x0A);
    CHECK(bytesOf(result)[0] == 2);
    CHECK(bytesOf(result)[8] == 0x0A);
}

TEST_CASE("keeps the padding of queue data at zero") {
    V1_2::FmqResultDatum::OperandInformation information;
    std::memset(static_cast<void*>(&information), 0xAA, sizeof(information));
    information.isSufficient = true;
    information.numberOfDimensions = 4;
    Dirty<V1_2::FmqResultDatum> result;
    (*result).operandInformation(information);
    const V1_2::FmqResultDatum copy = *result;
    const std::array<unsigned char, 24> expected{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4};
    CHECK(bytesOf(copy) == expected);
}

TEST_CASE("leaves nothing of the member before") {
    V1_2::FmqResultDatum datum;
    datum.executionTiming({.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX});
    datum.operandDimensionValue(0);
    const std::array<unsigned char, 24> expected{2};
    CHECK(bytesOf(datum) == expected);
}

TEST_CASE("destroys the member that another replaces") {
    const size_t before = openFdCount();
    V1_3::Request::MemoryPool pool;
    pool.hidlMemory(*vnpu::hal::createSharedMemory(16));
    CHECK(openFdCount() == before + 1);
    pool.token(7);
    CHECK(openFdCount() == before);
    CHECK(pool.token() == 7);
}

TEST_CASE("copies and moves the live member") {
    const size_t before = openFdCount();
    {
        V1_3::Request::MemoryPool pool;
        pool.hidlMemory(*vnpu::hal::createSharedMemory(16));
        V1_3::Request::MemoryPool copy = pool;
        CHECK(openFdCount() == before + 2);
        const V1_3::Request::MemoryPool moved = std::move(copy);
        CHECK(openFdCount() == before + 2);
        CHECK(moved.hidlMemory().size() == 16);
        auto& same = pool;
        pool = same;
        CHECK(pool.hidlMemory().valid());
        V1_3::Request::MemoryPool token;
        token.token(1);
        pool = token;
        CHECK(openFdCount() == before + 1);
        CHECK(pool.token() == 1);
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("reading a member that is not live ends the process") {
    CHECK(aborts([] { (void)V1_3::OptionalTimePoint().nanosecondsSinceEpoch(); }));
    CHECK(aborts([] {
        V1_2::Operand::ExtraParams params;
        params.extension({1});
        (void)params.channelQuant().channelDim;
    }));
}

TEST_CASE("bears a discriminator from shared memory that names no member") {
    V1_2::FmqRequestDatum datum;
    const unsigned char hostile = 200;
    std::memcpy(static_cast<void*>(&datum), &hostile, 1);
    const V1_2::FmqRequestDatum copy = datum;
    CHECK(static_cast<int>(copy.getDiscriminator()) == 200);
    CHECK(toString(copy) == "{unknown member 200}");
    CHECK(copy != V1_2::FmqRequestDatum());
    datum.poolIdentifier(1);
    CHECK(datum.poolIdentifier() == 1);
}

TEST_SUITE_END();

}  // namespace
