// SPDX-License-Identifier: Apache-2.0
// Runs the importer's cases through the delegate, if the environment says so.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

#include "tests/sim/import/run_cases.h"
#include "tests/sim/tflite_delegate/delegate_fixture.h"
#include "tests/sim/tflite_delegate/fake_interpreter.h"

namespace vnpu::sim::test {

namespace {

using Outputs = std::vector<std::vector<std::byte>>;

std::set<std::int32_t> codesOf(const TestFile& file) {
    std::set<std::int32_t> codes;
    for (const TestOperator& op : file.operators) {
        codes.insert(op.code);
    }
    return codes;
}

std::string textOf(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + "; ";
    }
    return text;
}

void require(bool isTrue, const std::string& what, const FakeInterpreter& interpreter) {
    if (!isTrue) {
        throw std::runtime_error(what + ": " + textOf(interpreter.errors()));
    }
}

void reshapeInputs(FakeInterpreter& interpreter, const Case& test) {
    for (const int input : interpreter.inputs()) {
        const auto shape = test.options.shapes.find(interpreter.tensor(input).name);
        if (shape != test.options.shapes.end()) {
            interpreter.resize(input, {shape->second.begin(), shape->second.end()});
        }
    }
}

/// Nothing for cases with operators that stay with the interpreter, and for those that choose a
/// part of the file. The operators of the others are noted in the file `coverage`.
std::optional<Outputs> runByDelegate(const Case& test, const std::string& coverage) {
    static const DelegateHandle delegate = createDelegate();
    static const DelegateHandle dynamicDelegate = createDelegate({{"allow_dynamic_tensors", "1"}});
    const std::set<std::int32_t> codes = codesOf(test.file);
    const bool isPart = !test.options.signature.empty() || !test.options.until.empty();
    if (isPart || std::any_of(codes.begin(), codes.end(), staysWithInterpreter)) {
        return std::nullopt;
    }
    FakeInterpreter interpreter(test.file.bytes());
    reshapeInputs(interpreter, test);
    // The file leaves shapes open that an interpreter computes when it prepares its own kernels.
    const bool isOpen = !test.options.shapes.empty();
    require(interpreter.apply(isOpen ? *dynamicDelegate : *delegate) == abi::kTfLiteOk, "apply",
            interpreter);
    require(interpreter.allocate() == abi::kTfLiteOk, "allocate", interpreter);
    require(interpreter.kernelCount() == interpreter.plan().size(), "not all nodes are delegated",
            interpreter);
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
        const auto& tensor = test.file.tensors[static_cast<std::size_t>(test.file.inputs[i])];
        interpreter.fill(test.file.inputs[i], bytesOfCase({tensor, test.inputs[i]}));
    }
    for (int run = 0; run < test.runs; ++run) {
        require(interpreter.invoke() == abi::kTfLiteOk, "invoke", interpreter);
    }
    Outputs outputs;
    for (const int output : interpreter.outputs()) {
        outputs.push_back(interpreter.copy(output));
    }
    std::ofstream file(coverage, std::ios::app);
    for (const std::int32_t code : codes) {
        file << code << '\n';
    }
    return outputs;
}

[[maybe_unused]] const bool kIsOffered = [] {
    if (const char* coverage = std::getenv("VNPU_CASES_BY_DELEGATE")) {
        otherExecutor() = [coverage = std::string(coverage)](const Case& test) {
            return runByDelegate(test, coverage);
        };
    }
    return true;
}();

}  // namespace

}  // namespace vnpu::sim::test
