// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim::tflite {

namespace schema {
struct Model;
struct Operator;
enum class TensorType : std::int8_t;
}  // namespace schema
using schema::TensorType;

/// A tensor of the file, its shape, size and quantization checked.
struct TensorView {
    std::int32_t index = -1;
    std::string name;
    TensorType type{};
    std::vector<std::uint32_t> dimensions;  // each at least 1
    std::span<const std::byte> data;       // empty where the file has no value; else the dense size
    std::vector<float> scales;             // finite, above 0; empty, one, or one per channel
    std::vector<std::int32_t> zeroPoints;  // as many as scales
    std::uint32_t channelDimension = 0;    // of more than one scale

    bool isConstant() const { return !data.empty(); }
};

/// One operator of the main graph; tensor indexes are in range, -1 stands for an omitted optional
/// input.
struct OperatorView {
    std::uint32_t index = 0;
    std::int32_t code = 0;  // builtin operator
    std::string name;       // "CONV_2D"
    std::vector<std::int32_t> inputs, outputs;
    const schema::Operator* table = nullptr;

    std::string place() const;  // "operator 3 (CONV_2D)"
};

/// A verified .tflite file in memory. All returned values have been checked; a mistake throws
/// InputError with file and place. The options tables of the operators are verified as tables; the
/// caller checks their values.
class File {
  public:
    /// Reads and verifies; `path` is used in messages.
    static File load(const std::string& path);
    File(std::string path, std::vector<std::byte> bytes);

    [[noreturn]] void fail(std::string_view place, std::string_view what) const;

    std::size_t tensorCount() const;
    std::size_t operatorCount() const;
    TensorView tensor(std::int32_t index) const;
    OperatorView operatorAt(std::size_t index) const;
    std::vector<std::int32_t> inputs() const;
    std::vector<std::int32_t> outputs() const;

  private:
    std::vector<std::int32_t> checkedIndexes(const void* vector, std::string_view place,
                                             bool mayBeOmitted) const;
    std::vector<std::uint32_t> checkedShape(const void* tensorTable,
                                            const std::string& place) const;
    void checkData(TensorView& tensor, const void* tensorTable, const std::string& place) const;
    void checkQuantization(TensorView& tensor, const void* tensorTable,
                           const std::string& place) const;

    std::string path_;
    std::vector<std::byte> bytes_;
    const schema::Model* model_ = nullptr;
};

/// "INT8"; "type 42" for an unknown one.
std::string typeName(TensorType type);

/// Bytes of one element; 0 for types without a fixed size.
std::uint32_t typeBytes(TensorType type);

/// "CONV_2D" for a builtin operator's number, "operator code 400" for an unknown one.
std::string operatorName(std::int32_t code);

}  // namespace vnpu::sim::tflite
