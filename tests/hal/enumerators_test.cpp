// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {

using android::hardware::hidl_enum_range;
namespace V1_0 = android::hardware::neuralnetworks::V1_0;
namespace V1_1 = android::hardware::neuralnetworks::V1_1;
namespace V1_2 = android::hardware::neuralnetworks::V1_2;
namespace V1_3 = android::hardware::neuralnetworks::V1_3;

template <typename E>
std::vector<E> listed() {
    std::vector<E> values;
    for (const E value : hidl_enum_range<E>{}) {
        values.push_back(value);
    }
    return values;
}

TEST_SUITE_BEGIN("hal/enumerators");

TEST_CASE("lists operand types in order of declaration, inherited ones first") {
    using E = V1_3::OperandType;
    const std::vector<E> expected{E::FLOAT32,
                                  E::INT32,
                                  E::UINT32,
                                  E::TENSOR_FLOAT32,
                                  E::TENSOR_INT32,
                                  E::TENSOR_QUANT8_ASYMM,
                                  E::OEM,
                                  E::TENSOR_OEM_BYTE,
                                  E::BOOL,
                                  E::TENSOR_QUANT16_SYMM,
                                  E::TENSOR_FLOAT16,
                                  E::TENSOR_BOOL8,
                                  E::FLOAT16,
                                  E::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                  E::TENSOR_QUANT16_ASYMM,
                                  E::TENSOR_QUANT8_SYMM,
                                  E::TENSOR_QUANT8_ASYMM_SIGNED,
                                  E::SUBGRAPH};
    CHECK(listed<E>() == expected);
}

TEST_CASE("lists each version's operations after those of the version before") {
    CHECK(listed<V1_0::OperationType>().size() == 30);
    CHECK(listed<V1_1::OperationType>().size() == 39);
    CHECK(listed<V1_2::OperationType>().size() == 96);
    const auto operations = listed<V1_3::OperationType>();
    REQUIRE(operations.size() == 103);
    CHECK(operations.front() == V1_3::OperationType::ADD);
    CHECK(operations[29] == V1_3::OperationType::OEM_OPERATION);
    CHECK(operations[30] == V1_3::OperationType::BATCH_TO_SPACE_ND);
    CHECK(operations.back() == V1_3::OperationType::RANK);
}

TEST_CASE("the operations but the vendor's own are numbered without a gap") {
    int32_t next = 0;
    for (const auto operation : hidl_enum_range<V1_3::OperationType>{}) {
        if (operation != V1_3::OperationType::OEM_OPERATION) {
            CHECK(static_cast<int32_t>(operation) == next++);
        }
    }
    CHECK(next == 102);
}

TEST_CASE("lists values that occur twice as often as they are declared") {
    CHECK(listed<V1_3::OperandTypeRange>().size() == 6);
    CHECK(listed<V1_2::Model::ExtensionTypeEncoding>().size() == 2);
}

TEST_CASE("can be a constant and walks backward") {
    static constexpr hidl_enum_range<V1_3::Priority> kPriorities;
    static_assert(*kPriorities.begin() == V1_3::Priority::LOW);
    static_assert(kPriorities.cend() - kPriorities.cbegin() == 3);
    CHECK(*kPriorities.rbegin() == V1_3::Priority::HIGH);
    CHECK(*(kPriorities.rend() - 1) == V1_3::Priority::LOW);
}

TEST_CASE("combines with numbers as bits") {
    using E = V1_0::FusedActivationFunc;
    static_assert((E::RELU | E::RELU1) == 3);
    static_assert((E::RELU6 & 1) == 1);
    int32_t bits = 0;
    bits |= E::RELU6;
    CHECK(bits == 3);
    bits &= E::RELU1;
    CHECK(bits == 2);
}

TEST_CASE("shows a number as the bits of an enumeration") {
    using E = V1_0::FusedActivationFunc;
    CHECK(V1_0::toString<E>(0) == "NONE (0x0)");
    CHECK(V1_0::toString<E>(3) == "RELU | RELU1 | RELU6 (0x3)");
    CHECK(V1_0::toString<E>(E::RELU | 8) == "RELU | 0x8 (0x9)");
}

TEST_CASE("an earlier version's enumerators keep their numbers in a later one") {
    for (const auto type : hidl_enum_range<V1_2::OperandType>{}) {
        CHECK(toString(type) == toString(static_cast<V1_3::OperandType>(type)));
    }
    for (const auto status : hidl_enum_range<V1_0::ErrorStatus>{}) {
        CHECK(toString(status) == toString(static_cast<V1_3::ErrorStatus>(status)));
    }
    CHECK(static_cast<int>(V1_3::ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT) == 8);
}

TEST_SUITE_END();

}  // namespace
