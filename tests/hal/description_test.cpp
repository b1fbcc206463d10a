// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <doctest/doctest.h>
#include <vnpu/hal/shared_memory.h>

#include <sstream>

namespace {

using android::hardware::hidl_handle;
using android::hardware::hidl_memory;
using android::hardware::hidl_string;
using android::hardware::hidl_vec;
using android::hardware::details::IsComparableRecord;
namespace V1_0 = android::hardware::neuralnetworks::V1_0;
namespace V1_2 = android::hardware::neuralnetworks::V1_2;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

TEST_SUITE_BEGIN("hal/description");

TEST_CASE("shows enumerators by name and other values in hexadecimal") {
    CHECK(toString(V1_3::OperandType::TENSOR_QUANT8_ASYMM_SIGNED) == "TENSOR_QUANT8_ASYMM_SIGNED");
    CHECK(toString(V1_0::DeviceStatus::AVAILABLE) == "AVAILABLE");
    CHECK(toString(static_cast<V1_3::Priority>(-1)) == "0xffffffff");
    CHECK(toString(static_cast<V1_3::ErrorStatus>(17)) == "0x11");
}

TEST_CASE("shows plain values and lists") {
    using android::hardware::toString;
    CHECK(toString(uint8_t{7}) == "7");
    CHECK(toString(-7) == "-7");
    CHECK(toString(true) == "true");
    CHECK(toString(0.5F) == "0.5");
    CHECK(toString(hidl_string("a")) == "\"a\"");
    CHECK(toString(hidl_vec<uint32_t>{1, 2}) == "[2]{1, 2}");
    CHECK(toString(hidl_vec<bool>()) == "[0]{}");
}

TEST_CASE("shows the fields of a structure by name") {
    CHECK(toString(V1_0::DataLocation{.poolIndex = 1, .offset = 2, .length = 3}) ==
          "{.poolIndex = 1, .offset = 2, .length = 3}");
    CHECK(toString(V1_3::BufferDesc{.dimensions = {4}}) == "{.dimensions = [1]{4}}");
}

TEST_CASE("shows the live member of a union") {
    V1_3::OptionalTimePoint deadline;
    CHECK(toString(deadline) == "{.none = {}}");
    deadline.nanosecondsSinceEpoch(5);
    CHECK(toString(deadline) == "{.nanosecondsSinceEpoch = 5}");
}

TEST_CASE("shows memory and handles") {
    CHECK(toString(hidl_handle()) == "no handle");
    CHECK(toString(*vnpu::hal::createSharedMemory(16)) ==
          "{.name = \"ashmem\", .size = 16, .handle = handle of 1 fds and 0 ints}");
}

TEST_CASE("shows whole models and requests") {
    const V1_3::Model model{.pools = {hidl_memory()}};
    CHECK(toString(model).find(".pools = [1]{{.name = \"\"") != std::string::npos);
    const V1_3::Request request{.pools = {V1_3::Request::MemoryPool()}};
    CHECK(toString(request).find(".pools = [1]{{.hidlMemory = ") != std::string::npos);
}

TEST_CASE("is written by PrintTo and to streams") {
    std::ostringstream out;
    PrintTo(V1_2::MeasureTiming::YES, &out);
    out << ' ' << V1_2::Timing{.timeOnDevice = 1, .timeInDriver = 2};
    CHECK(out.str() == "YES {.timeOnDevice = 1, .timeInDriver = 2}");
}

TEST_CASE("compares structures field by field") {
    V1_3::Operand a{.type = V1_3::OperandType::TENSOR_FLOAT32, .dimensions = {1, 2}};
    V1_3::Operand b = a;
    CHECK(a == b);
    b.dimensions[1] = 3;
    CHECK(a != b);
    b = a;
    b.extraParams.extension({1});
    CHECK(a != b);
    a.extraParams.extension({1});
    CHECK(a == b);
}

TEST_CASE("has no comparison for types that hold memory") {
    static_assert(IsComparableRecord<V1_3::Subgraph>::value);
    static_assert(IsComparableRecord<V1_2::FmqRequestDatum>::value);
    static_assert(!IsComparableRecord<V1_0::Model>::value);
    static_assert(!IsComparableRecord<V1_3::Model>::value);
    static_assert(!IsComparableRecord<V1_0::Request>::value);
    static_assert(!IsComparableRecord<V1_3::Request::MemoryPool>::value);
}

TEST_SUITE_END();

}  // namespace
