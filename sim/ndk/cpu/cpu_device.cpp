// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/cpu/cpu_device.h"

#include <algorithm>

#include "hw_model/regs/operators.h"
#include "sim/ndk/cpu/cpu_prepared_model.h"

namespace vnpu::sim::ndk {

namespace {

using nn::V1_3::OperationType;

bool isSupported(const nn::V1_3::Operation& operation) {
    const auto code = static_cast<std::uint32_t>(operation.type);
    return operation.type == OperationType::IF || operation.type == OperationType::WHILE ||
           hw::isOperator(code);
}

bool areAllSupported(const nn::V1_3::Subgraph& graph) {
    return std::all_of(graph.operations.begin(), graph.operations.end(), isSupported);
}

}  // namespace

const std::string& CpuDevice::name() const {
    static const std::string kName = "nnapi-reference";
    return kName;
}

const std::string& CpuDevice::version() const {
    static const std::string kVersion = "vnpu-kernels-1.3";
    return kVersion;
}

Result<std::vector<bool>> CpuDevice::supportedOperations(const FinishedModel& model) {
    // A graph inside may belong to any operation with graphs.
    const bool areGraphsSupported =
            std::all_of(model.hal.referenced.begin(), model.hal.referenced.end(), areAllSupported);
    std::vector<bool> supported;
    for (const auto& operation : model.hal.main.operations) {
        const bool hasGraphs =
                operation.type == OperationType::IF || operation.type == OperationType::WHILE;
        supported.push_back(isSupported(operation) && (areGraphsSupported || !hasGraphs));
    }
    return supported;
}

Result<std::shared_ptr<PreparedModel>> CpuDevice::prepare(
        const std::shared_ptr<const FinishedModel>& model, const PrepareOptions& options) {
    if (options.deadline && *options.deadline <= std::chrono::steady_clock::now()) {
        return failed(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT,
                      "deadline of the preparation has passed");
    }
    if (!areAllSupported(model->hal.main) ||
        !std::all_of(model->hal.referenced.begin(), model->hal.referenced.end(), areAllSupported)) {
        return badData("model has operations that {} does not support", name());
    }
    return std::make_shared<CpuPreparedModel>(model);
}

Result<SharedMemory> CpuDevice::allocate(std::span<const DeviceRole> /*roles*/,
                                         std::unique_ptr<MemoryRoles> /*use*/) {
    return failed(ANEURALNETWORKS_OP_FAILED, "{} has no memory of its own", name());
}

}  // namespace vnpu::sim::ndk
