// SPDX-License-Identifier: Apache-2.0
// A file of any bytes is imported, or refused in one line.
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/import/graph/report.h"
#include "sim/import/tflite/importer.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

void requireOneLine(std::string_view message) {
    require(!message.empty() && message.find('\n') == std::string_view::npos,
            "a refusal is one line");
}

void run(std::span<const uint8_t> input) {
    const auto bytes = std::as_bytes(input);
    try {
        const sim::ImportResult result =
                sim::examineTflite("fuzz.tflite", {bytes.begin(), bytes.end()});
        require(result.network.has_value() == result.report.isComplete(),
                "there is a network where every operator can run");
        if (!result.network) {
            requireOneLine(sim::graph::summarize(result.report));
        }
    } catch (const sim::InputError& error) {
        requireOneLine(error.what());
    }
}

}  // namespace

const Target kTflite{"tflite", run};

}  // namespace vnpu::fuzz
