// SPDX-License-Identifier: Apache-2.0
// Code in the style of NNAPI's common utilities: a namespace that imports the HAL's names and has
// functions of the same names for its own types.
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <brillo/brillo_export.h>
#include <doctest/doctest.h>
#include <sys/system_properties.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace compatibility::utilities {

namespace hal {

using ::android::hardware::hidl_enum_range;
using ::android::hardware::hidl_memory;
using ::android::hardware::hidl_vec;
using namespace ::android::hardware::neuralnetworks::V1_3;
namespace V1_0 = ::android::hardware::neuralnetworks::V1_0;
namespace V1_1 = ::android::hardware::neuralnetworks::V1_1;
namespace V1_2 = ::android::hardware::neuralnetworks::V1_2;
namespace V1_3 = ::android::hardware::neuralnetworks::V1_3;
using OperandExtraParams = V1_2::Operand::ExtraParams;

}  // namespace hal

using namespace hal;

inline std::string toString(uint32_t value) {
    return std::to_string(value);
}

template <typename Type>
std::string toString(const std::vector<Type>& range) {
    std::string text = "[";
    for (size_t i = 0; i < range.size(); ++i) {
        text += (i == 0 ? "" : ", ") + toString(range[i]);
    }
    return text + "]";
}

/// Prints any type that a stream can print.
class ErrorStream {
  public:
    template <typename T>
    ErrorStream& operator<<(const T& value) {
        buffer_ << value;
        return *this;
    }
    operator std::string() const { return buffer_.str(); }

  private:
    std::ostringstream buffer_;
};

constexpr V1_0::PerformanceInfo kNoPerformanceInfo = {.execTime = 1e9F, .powerUsage = 1e9F};

/// The names of all types except those of extensions.
template <typename Enumeration>
std::set<std::string> namesOf() {
    static constexpr hidl_enum_range<Enumeration> range;
    std::set<std::string> names;
    std::transform(range.begin(), range.end(), std::inserter(names, names.end()),
                   [](auto value) { return toString(value); });
    return names;
}

inline bool isExtensionOperandType(OperandType type) {
    return static_cast<uint32_t>(type) > static_cast<uint32_t>(OperandTypeRange::BASE_MAX);
}

template <typename VersionedOperand>
std::string validate(const hidl_vec<VersionedOperand>& operands) {
    for (auto& versioned : operands) {
        switch (versioned.type) {
            case decltype(versioned.type)::INT32:
                break;
            default:
                return ErrorStream() << "unexpected " << toString(versioned.type);
        }
    }
    return {};
}

BRILLO_EXPORT inline std::string describePool(const Request::MemoryPool& pool) {
    switch (pool.getDiscriminator()) {
        case Request::MemoryPool::hidl_discriminator::hidlMemory:
            return toString(static_cast<uint32_t>(pool.hidlMemory().size()));
        case Request::MemoryPool::hidl_discriminator::token:
            return "token " + toString(pool.token());
    }
    return {};
}

/// A role as an element of a set.
using PreparedModelRole = std::tuple<const IPreparedModel*, uint32_t>;

namespace {

TEST_SUITE_BEGIN("hal/compatibility");

TEST_CASE(VNPU_LANGUAGE ": toString is found beside functions of that name") {
    CHECK(toString(std::vector<OperandType>{OperandType::INT32, OperandType::BOOL}) ==
          "[INT32, BOOL]");
    CHECK(toString(std::vector<uint32_t>{1, 2}) == "[1, 2]");
    const Operand operand = {.type = OperandType::FLOAT16, .dimensions = {}};
    CHECK(toString(operand).rfind("{.type = FLOAT16, .dimensions = [0]{}", 0) == 0);
    CHECK(toString(OperandExtraParams()) == "{.none = {}}");
    CHECK(toString(hidl_vec<uint32_t>{3}) == "[1]{3}");
    CHECK(toString(V1_0::OperandLifeTime::NO_VALUE) == "NO_VALUE");
    CHECK(V1_3::toString(OperationType::RANK) == "RANK");
}

TEST_CASE(VNPU_LANGUAGE ": enumerations give their names") {
    CHECK(namesOf<OperationType>().size() == 103);
    CHECK(namesOf<V1_1::OperationType>().count("TRANSPOSE") == 1);
    CHECK_FALSE(isExtensionOperandType(OperandType::TENSOR_OEM_BYTE));
    CHECK(isExtensionOperandType(static_cast<OperandType>(0x10001)));
}

TEST_CASE(VNPU_LANGUAGE ": values go into streams of errors") {
    const std::string text = ErrorStream()
                             << ErrorStatus::GENERAL_FAILURE << " of " << V1_0::DeviceStatus::BUSY;
    CHECK(text == "GENERAL_FAILURE of BUSY");
    CHECK(validate<V1_2::Operand>({{.type = V1_2::OperandType::BOOL}}) == "unexpected BOOL");
}

TEST_CASE(VNPU_LANGUAGE ": parts of models are compared and copied") {
    const V1_2::Timing timing = {.timeOnDevice = 1, .timeInDriver = 2};
    CHECK(timing == V1_2::Timing{1, 2});
    CHECK(V1_0::DataLocation{1, 2, 3} != V1_0::DataLocation{});
    const uint32_t indexes[] = {4, 5};
    std::vector<Operation> operations;
    operations.push_back({
            .type = OperationType::ADD,
            .inputs = hidl_vec<uint32_t>(indexes, indexes + 2),
            .outputs = hidl_vec<uint32_t>(indexes, indexes + 1),
    });
    const Subgraph subgraph = {.operands = {}, .operations = operations};
    CHECK(subgraph == Subgraph{.operands = {}, .operations = hidl_vec<Operation>(operations)});
    std::vector<uint32_t> sorted = subgraph.operations[0].inputs;
    CHECK(sorted.size() == 2);
    std::vector<V1_2::OutputShape> shapes = {{.dimensions = {1}, .isSufficient = true}};
    const hidl_vec<V1_2::OutputShape> given = shapes;
    shapes = given;
    CHECK(shapes[0] == given[0]);
    CHECK(kNoPerformanceInfo.execTime == kNoPerformanceInfo.powerUsage);
}

TEST_CASE(VNPU_LANGUAGE ": pools and deadlines are told apart") {
    Request::MemoryPool pool;
    CHECK(describePool(pool) == "0");
    pool.token(3);
    CHECK(describePool(pool) == "token 3");
    pool.hidlMemory(hidl_memory("mmap_fd", nullptr, 12));
    CHECK(describePool(pool) == "12");
    const auto isNone = [](const OptionalTimePoint& timePoint) {
        return timePoint.getDiscriminator() == OptionalTimePoint::hidl_discriminator::none;
    };
    CHECK(isNone({}));
    OptionalTimePoint deadline;
    deadline.nanosecondsSinceEpoch(5);
    CHECK_FALSE(isNone(deadline));
    deadline.none({});
    CHECK(isNone(deadline));
    std::set<PreparedModelRole> roles;
    CHECK(roles.emplace(nullptr, 1).second);
}

TEST_CASE(VNPU_LANGUAGE ": a property that is not set") {
    char value[PROP_VALUE_MAX] = "x";
    CHECK(__system_property_get("debug.nn.vlog", value) == 0);
    CHECK(std::strlen(value) == 0);
}

TEST_SUITE_END();

}  // namespace

}  // namespace compatibility::utilities
