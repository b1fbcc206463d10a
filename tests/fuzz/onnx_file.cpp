// SPDX-License-Identifier: Apache-2.0
// .onnx files from the fuzzer: each is imported, or refused in one line.
#include <string>

#include "sim/base/error.h"
#include "sim/import/onnx/importer.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

void run(std::span<const uint8_t> input) {
    try {
        const sim::OnnxImport import = sim::examineOnnx("x.onnx", std::as_bytes(input));
        const std::string summary = sim::graph::summarize(import.report);
        require(import.report.isComplete() == summary.empty(), "a refusal without a reason");
    } catch (const sim::InputError& error) {
        require(std::string(error.what()).find('\n') == std::string::npos,
                "a message of several lines");
    }
}

}  // namespace

const Target kOnnxFile{"onnx_file", run};

}  // namespace vnpu::fuzz
