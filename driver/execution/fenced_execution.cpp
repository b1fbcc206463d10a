// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/fenced_execution.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "driver/execution/buffer_claims.h"
#include "driver/execution/buffer_plan.h"
#include "driver/execution/hal_status.h"
#include "driver/validation/operand_types.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::base::unique_fd;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;

void FencedExecutionInfo::set(const Outcome& outcome) {
    const MutexLock guard(mutex_);
    outcome_ = outcome;
}

android::hardware::Return<void> FencedExecutionInfo::getExecutionInfo(
        getExecutionInfo_cb callback) {
    std::optional<Outcome> outcome;
    {
        const MutexLock guard(mutex_);
        outcome = outcome_;
    }
    if (outcome) {
        callback(outcome->status, outcome->launched, outcome->fenced);
    } else {
        callback(ErrorStatus::GENERAL_FAILURE, noTiming(), noTiming());
    }
    return android::hardware::Void();
}

FencedExecutionInfo::Outcome FencedExecution::execute() {
    DeviceRuntime& runtime = prepared->runtime();
    DevicePort& port = runtime.port();
    FencedExecutionInfo::Outcome outcome{ErrorStatus::NONE, noTiming(), noTiming()};
    for (const unique_fd& descriptor : waitFor) {
        if (const auto waited = runtime.fences().wait(descriptor.get(), options.deadline, port);
            !waited) {
            outcome.status = call->refuse(waited.error());
            invalidateOutputs(request);
            return outcome;
        }
    }
    const std::chrono::nanoseconds begin = port.now();
    options.begin = begin;
    if (duration && *duration < std::chrono::nanoseconds::max() - begin) {
        options.deadline =
                std::min(options.deadline.value_or(begin + *duration), begin + *duration);
    }
    const ExecutionResult result = prepared->run(request, options);
    outcome.status = result.status;
    outcome.launched = result.timing;
    outcome.fenced = result.timing;
    if (result.status == ErrorStatus::NONE && options.isMeasured) {
        outcome.fenced.timeInDriver = static_cast<std::uint64_t>(
                std::chrono::duration_cast<std::chrono::microseconds>(port.now() - begin).count());
    }
    return outcome;
}

void FencedExecution::run() {
    const FencedExecutionInfo::Outcome outcome = execute();
    request.claim = nullptr;  // released before the signal, as the client may then launch the next
    call->end(outcome.status);
    info->set(outcome);
    prepared->runtime().fences().signal(*fence, outcome.status);
}

Result<std::vector<unique_fd>> takeFences(const hidl_vec<hidl_handle>& handles) {
    std::vector<unique_fd> descriptors;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const native_handle_t* handle = handles[i].getNativeHandle();
        if (handle == nullptr) {
            return invalidArgument(fmt::format("fence {} to wait for is null", i));
        }
        if (handle->numFds != 1) {
            return invalidArgument(fmt::format(
                    "fence {} to wait for has {} descriptors, expected 1", i, handle->numFds));
        }
        unique_fd own(::fcntl(handle->data[0], F_DUPFD_CLOEXEC, 3));
        if (own.get() < 0) {
            return invalidArgument(fmt::format("fence {} to wait for: descriptor {}: {}", i,
                                               handle->data[0], std::strerror(errno)));
        }
        descriptors.push_back(std::move(own));
    }
    return descriptors;
}

Result<void> requireReadyOutputs(const BoundRequest& request, const nn::V1_3::Model& model) {
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        const BoundArgument& output = request.outputs[i];
        if (output.hasNoValue) {
            continue;
        }
        const nn::V1_3::Operand& operand = model.main.operands[model.main.outputIndexes[i]];
        VNPU_TRY_ASSIGN(const auto shape, combineDimensions(operand.dimensions, output.dimensions));
        const auto sizeBytes = sizeOfData(operand.type, shape);
        if (!sizeBytes) {
            return invalidArgument(
                    fmt::format("output {} has no shape before the execution, which a fenced one "
                                "cannot report",
                                i));
        }
        if (output.pool != nullptr && output.lengthBytes < *sizeBytes) {
            return invalidArgument(
                    fmt::format("output {} has memory for {} bytes, its {} bytes need more, which "
                                "a fenced execution cannot report",
                                i, output.lengthBytes, *sizeBytes));
        }
    }
    return {};
}

}  // namespace vnpu::driver
