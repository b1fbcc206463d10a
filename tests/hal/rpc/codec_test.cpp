// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/codec.h"

#include <android/hardware/neuralnetworks/1.3/types.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "tests/hal/rpc/sample.h"
#include "tests/hal/test_support.h"

namespace {

using namespace vnpu::hal::rpc;
using namespace vnpu::hal::rpc::test;
using android::hardware::hidl_vec;
using vnpu::hal::test::openFdCount;

/// Every type of arguments and results, and of the data in queues.
template <typename Visitor>
void forEachValue(const Visitor& visit) {
    Sampler sampler;
    forEachMethod([&]<typename M>(M*) {
        visit(sampler.make<typename M::Arguments>());
        visit(sampler.make<typename M::Results>());
    });
    visit(sampler.make<std::tuple<v12::FmqRequestDatum>>());
    visit(sampler.make<std::tuple<v12::FmqResultDatum>>());
}

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/codec");

TEST_CASE("all arguments and results are decoded as they were encoded [E-5]") {
    size_t values = 0;
    forEachValue([&]<typename T>(const T& value) {
        const Parcel parcel = encode(value);
        T read;
        REQUIRE(decode(withBytes(parcel, parcel.bytes), read));
        const Parcel again = encode(read);
        CHECK(again.bytes == parcel.bytes);
        CHECK(again.objects.size() == parcel.objects.size());
        CHECK(again.descriptors.size() == parcel.descriptors.size());
        ++values;
    });
    CHECK(values > 80);
}

TEST_CASE("a model and a request equal their copies field by field [E-5]") {
    Sampler sampler;
    const auto model = sampler.make<v13::Model>();
    v13::Model copy;
    REQUIRE(decode(encode(model), copy));
    CHECK(copy.main == model.main);
    CHECK(copy.referenced == model.referenced);
    CHECK(copy.operandValues == model.operandValues);
    CHECK(copy.relaxComputationFloat32toFloat16 == model.relaxComputationFloat32toFloat16);
    CHECK(copy.extensionNameToPrefix == model.extensionNameToPrefix);
    REQUIRE(copy.pools.size() == 2);
    CHECK(copy.pools[1].name() == model.pools[1].name());
    CHECK(copy.pools[1].size() == model.pools[1].size());
    CHECK(copy.pools[1].handle()->data[1] == model.pools[1].handle()->data[1]);
    const auto request = sampler.make<v13::Request>();
    v13::Request requestCopy;
    REQUIRE(decode(encode(request), requestCopy));
    CHECK(requestCopy.inputs == request.inputs);
    CHECK(requestCopy.pools[0].token() == request.pools[0].token());
}

TEST_CASE("a parcel cut off anywhere is refused, and no descriptor is lost [E-5]") {
    const size_t descriptors = openFdCount();
    forEachValue([]<typename T>(const T& value) {
        const Parcel parcel = encode(value);
        for (size_t size = 0; size < parcel.bytes.size(); ++size) {
            T read;
            CHECK_FALSE(decode(
                    withBytes(parcel, {parcel.bytes.begin(),
                                       parcel.bytes.begin() + static_cast<std::ptrdiff_t>(size)}),
                    read));
        }
    });
    CHECK(openFdCount() == descriptors);
}

TEST_CASE("a parcel changed anywhere is refused or has another value [E-5]") {
    const size_t descriptors = openFdCount();
    forEachValue([]<typename T>(const T& value) {
        const Parcel parcel = encode(value);
        for (size_t i = 0; i < parcel.bytes.size(); ++i) {
            for (const int change : {0x01, 0x80, 0xff}) {
                auto bytes = parcel.bytes;
                bytes[i] ^= static_cast<std::byte>(change);
                T read;
                if (decode(withBytes(parcel, bytes), read)) {
                    CHECK(encode(read).bytes == bytes);
                }
            }
        }
    });
    CHECK(openFdCount() == descriptors);
}

TEST_CASE("objects and descriptors that nothing speaks of are refused [E-5]") {
    Parcel parcel = encode(std::tuple<int32_t>(1));
    parcel.descriptors.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    std::tuple<int32_t> value;
    CHECK_FALSE(decode(withBytes(parcel, parcel.bytes), value));
    parcel.descriptors.clear();
    CHECK(decode(withBytes(parcel, parcel.bytes), value));
    parcel.objects.push_back({new Proxy<v13::IBuffer>(nullptr), numberOf<v13::IBuffer>()});
    CHECK_FALSE(decode(withBytes(parcel, parcel.bytes), value));
}

TEST_CASE("an object of another interface than the method wants is refused [E-5]") {
    Sampler sampler;
    const Parcel parcel = encode(sampler.make<std::tuple<android::sp<v13::IBuffer>>>());
    std::tuple<android::sp<v12::IBurstContext>> wrong;
    CHECK_FALSE(decode(withBytes(parcel, parcel.bytes), wrong));
    std::tuple<android::sp<v13::IBuffer>> right;
    CHECK(decode(withBytes(parcel, parcel.bytes), right));
}

TEST_CASE("a length that the bytes cannot hold allocates no memory [E-5]") {
    Parcel parcel = encode(hidl_vec<v13::Operand>());
    REQUIRE(parcel.bytes.size() == 4);
    std::fill(parcel.bytes.begin(), parcel.bytes.end(), std::byte{0xff});
    hidl_vec<v13::Operand> operands;
    CHECK_FALSE(decode(std::move(parcel), operands));
    CHECK(operands.size() == 0);
}

TEST_CASE("a union's unknown member is neither written nor read [E-5]") {
    v12::FmqRequestDatum datum;
    *reinterpret_cast<uint8_t*>(&datum) = 200;
    ParcelWriter writer;
    write(writer, datum);
    CHECK_FALSE(writer.finish().has_value());
    *reinterpret_cast<uint8_t*>(&datum) = 0;
}

TEST_CASE("a handle whose descriptor is closed cannot be sent [E-5]") {
    native_handle_t* const raw = native_handle_create(1, 0);
    raw->data[0] = -1;
    const android::hardware::hidl_handle handle(raw);
    ParcelWriter writer;
    write(writer, handle);
    const auto written = writer.finish();
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().find("fd -1") != std::string::npos);
    native_handle_delete(raw);
}

TEST_SUITE_END();
