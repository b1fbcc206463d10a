// SPDX-License-Identifier: Apache-2.0
#include "sim/models/tflite_importer.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/models/model_builder.h"
#include "sim/models/tflite_file.h"
#include "sim/models/tflite_operators.h"
#include "sim/models/tflite_tensors.h"

namespace vnpu::sim {

namespace {

Network importFile(const tflite::File& file, std::string name, const NetworkOptions& options) {
    ModelBuilder builder(std::move(name));
    tflite::TensorMap tensors(file, builder);
    for (const std::int32_t input : file.inputs()) {
        tensors.addInput(input);
    }
    if (file.operatorCount() == 0) {
        file.fail("operators", "there is none, expected at least 1");
    }
    for (std::size_t i = 0; i < file.operatorCount(); ++i) {
        tflite::importOperator(file.operatorAt(i), tensors);
    }
    if (file.outputs().empty()) {
        file.fail("model outputs", "there is none, expected at least 1");
    }
    for (const std::int32_t output : file.outputs()) {
        tensors.markOutput(output);
    }
    return builder.build(options.exposeIntermediates);
}

std::string nameOfFile(const std::string& path) {
    return std::filesystem::path(path).stem().string();
}

}  // namespace

Network importTflite(const std::string& path, const NetworkOptions& options) {
    if (options.batch != 1) {
        throw InputError(
                fmt::format("{}: batch {} is for zoo networks, expected 1: a file's "
                            "tensors have their dimensions",
                            path, options.batch));
    }
    return importFile(tflite::File::load(path), nameOfFile(path), options);
}

Network importTflite(const std::string& path, std::vector<std::byte> bytes,
                     const NetworkOptions& options) {
    return importFile(tflite::File(path, std::move(bytes)), nameOfFile(path), options);
}

}  // namespace vnpu::sim
