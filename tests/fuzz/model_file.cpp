// SPDX-License-Identifier: Apache-2.0
// Model files of any bytes: each is imported, or refused in one line.

#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/import/graph/report.h"
#include "sim/import/onnx/importer.h"
#include "sim/import/tflite/importer.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

void requireOneLine(std::string_view message) {
    require(!message.empty() && message.find('\n') == std::string_view::npos,
            "a refusal is one line");
}

/// `examine` returns the import of a file, whose report is empty if all operators can run.
template <typename Examine>
void runImport(const Examine& examine) {
    try {
        const auto import = examine();
        if (import.report.isComplete()) {
            require(sim::graph::summarize(import.report).empty(), "a refusal has a reason");
        } else {
            require(!import.network, "there is no network if an operator cannot run");
            requireOneLine(sim::graph::summarize(import.report));
        }
    } catch (const sim::InputError& error) {
        requireOneLine(error.what());
    }
}

void runTfliteFile(std::span<const uint8_t> input) {
    const auto bytes = std::as_bytes(input);
    runImport([&] { return sim::examineTflite("x.tflite", {bytes.begin(), bytes.end()}); });
}

void runOnnxFile(std::span<const uint8_t> input) {
    runImport([&] { return sim::examineOnnx("x.onnx", std::as_bytes(input)); });
}

}  // namespace

const Target kTfliteFile{"tflite_file", runTfliteFile};
const Target kOnnxFile{"onnx_file", runOnnxFile};

}  // namespace vnpu::fuzz
