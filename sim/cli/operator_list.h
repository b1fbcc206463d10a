// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vnpu::sim {

/// An operator of a file format and how it is imported.
struct ListedOperator {
    std::string name;
    std::int64_t number;  // code (TFLite), or first version of the operator set (ONNX)
    std::string status;   // imported, composed, folded or refused
    std::string how;      // the NNAPI operations, or the reason
};

/// All builtin operators of .tflite files.
std::vector<ListedOperator> tfliteOperators();
/// All operators of .onnx files.
std::vector<ListedOperator> onnxOperators();

/// `number` is the header of the numbers' column.
std::string operatorTable(const std::vector<ListedOperator>& operators, const std::string& number);
/// `number` is the key of the numbers.
std::string operatorJson(const std::vector<ListedOperator>& operators, const std::string& number);

}  // namespace vnpu::sim
