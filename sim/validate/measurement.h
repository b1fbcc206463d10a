// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/base/process_pool.h"
#include "sim/models/network.h"
#include "sim/validate/layer_shape.h"
#include "sim/validate/nvdla_model.h"
#include "sim/validate/single_operation.h"
#include "sim/validate/synthetic_work.h"

namespace vnpu::sim {

/// A network of the zoo with a batch size.
struct ZooModel {
    std::string name;  // "resnet50"
    std::uint32_t batch = 1;
    double weightBits = NetworkOptions::kUniformBits;  // entropy, where the device decodes weights
};

using MeasuredModel =
        std::variant<ZooModel, LayerShape, SyntheticWork, SingleOperation, NvdlaModel>;

/// The work of the commands of one operation.
struct OperationWork {
    std::uint64_t macCycles = 0;  // array, and what its output stage adds at each command's end
    std::uint64_t vectorCycles = 0;
    std::uint64_t dspCycles = 0;
    std::uint64_t bytes = 0;        // of memory, both ways, in whole bursts
    std::uint64_t tiles = 0;        // commands of array and vector unit
    double picojoules = 0.0;        // of all its commands, at the device's prices
    std::uint64_t blocks = 0;       // into which the array's commands are cut
    std::uint64_t streamBytes = 0;  // its commands, which the controller reads from memory

    bool operator==(const OperationWork&) const = default;
};

/// The measured times of one execution, alone on the device and without data.
struct Measurement {
    std::string error{};          // the reason for missing numbers; empty on success
    std::uint64_t cycles = 0;     // first command handed to an engine to the last one's end
    std::uint64_t jobCycles = 0;  // the firmware's start of the job to its end
    std::uint64_t macActiveCycles = 0;
    std::uint64_t macOperations = 0;
    std::uint64_t bytesRead = 0, bytesWritten = 0;  // of memory
    std::uint64_t estimatedCycles = 0;              // by the driver
    std::vector<OperationWork> operations{};        // by the model's operation
};

/// Models measured one after the other on one device, by a process of its own.
struct MeasureRequest {
    std::string config;  // TOML text, complete or with a base
    std::vector<MeasuredModel> models;
    std::string mutant{};  // the wrong model (mutants/) that stands for the device; empty: none
    bool hasCheckpoints = true;  // in the models, so that others can interrupt them
};

/// Measures the models in this process; once per process. A model that fails has an error in place
/// of its numbers.
std::vector<Measurement> measure(const MeasureRequest& request);

std::string toJson(const MeasureRequest& request);
/// Throws InputError for a text that is not a request.
MeasureRequest measureRequestFrom(const std::string& json);
std::string toJson(const std::vector<Measurement>& measurements);
/// `count` measurements; all have an error if the output is not an answer.
std::vector<Measurement> measurementsOf(const ProcessResult& result, std::size_t count);

/// Measures all requests in several processes at the same time; `onDone` gets the number of
/// completed ones.
std::vector<std::vector<Measurement>> measureAll(
        const std::vector<MeasureRequest>& requests, ProcessPool& pool,
        const std::function<void(std::size_t done, std::size_t count)>& onDone);

}  // namespace vnpu::sim
