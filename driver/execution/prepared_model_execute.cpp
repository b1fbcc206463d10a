// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "driver/execution/buffer_claims.h"
#include "driver/execution/hal_status.h"
#include "driver/execution/prepared_model.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

// chosen: each brings at least one operation of a chain to its end; chains of tensors that only the
// device sizes are short
constexpr int kMaxAttempts = 64;

std::string join(const std::vector<std::uint32_t>& dimensions) {
    return fmt::format("{}", fmt::join(dimensions, "x"));
}

Result<void> checkDeadline(const Deadline& deadline, DevicePort& port, ErrorStatus status,
                           const char* when) {
    if (hasPassed(deadline, port)) {
        return fail(status, fmt::format("deadline at {} ns of device time has passed {}",
                                        deadline->count(), when));
    }
    return {};
}

/// Whether what the request says of an output's shape agrees with the one that comes out, of which
/// 0 is not known yet.
Result<void> checkOutputDimensions(std::size_t output, const std::vector<std::uint32_t>& asked,
                                   const std::vector<std::uint32_t>& actual) {
    bool fits = asked.empty() || actual.empty() || asked.size() == actual.size();
    for (std::size_t d = 0; fits && d < std::min(asked.size(), actual.size()); ++d) {
        fits = asked[d] == 0 || actual[d] == 0 || asked[d] == actual[d];
    }
    if (!fits) {
        return invalidArgument(fmt::format("output {} is {}, the request says {}", output,
                                           join(actual), join(asked)));
    }
    return {};
}

/// The same for all outputs, once the device has told their shapes.
Result<void> checkOutputShapes(const android::hardware::hidl_vec<nn::V1_2::OutputShape>& shapes,
                               const BoundRequest& request) {
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        VNPU_TRY(checkOutputDimensions(i, request.outputs[i].dimensions, shapes[i].dimensions));
    }
    return {};
}

/// Everything that the job takes for granted of the request.
Result<void> checkAgainstCompiled(const CompiledModel& compiled, const BoundRequest& request) {
    if (compiled.inputs.size() != request.inputs.size() ||
        compiled.outputs.size() != request.outputs.size()) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    "compiled model has other inputs or outputs than the model");
    }
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const BoundArgument& input = request.inputs[i];
        if (!input.hasNoValue && input.lengthBytes != compiled.inputs[i].sizeBytes) {
            return invalidArgument(fmt::format("input {} has {} bytes, expected {}", i,
                                               input.lengthBytes, compiled.inputs[i].sizeBytes));
        }
    }
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        VNPU_TRY(checkOutputDimensions(i, request.outputs[i].dimensions,
                                       compiled.outputs[i].dimensions));
    }
    return {};
}

android::hardware::hidl_vec<nn::V1_2::OutputShape> shapesOf(const CompiledModel& compiled,
                                                            const BoundRequest& request,
                                                            bool& areAllSufficient) {
    android::hardware::hidl_vec<nn::V1_2::OutputShape> shapes(compiled.outputs.size());
    areAllSufficient = true;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i].dimensions = compiled.outputs[i].dimensions;
        shapes[i].isSufficient = request.outputs[i].hasNoValue ||
                                 compiled.isDynamicOutput(static_cast<std::uint32_t>(i)) ||
                                 request.outputs[i].lengthBytes >= compiled.outputs[i].sizeBytes;
        areAllSufficient = areAllSufficient && shapes[i].isSufficient;
    }
    return shapes;
}

std::uint64_t toMicroseconds(std::uint64_t cycles, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000;
    return cycles / clockHz * kPerSecond + cycles % clockHz * kPerSecond / clockHz;
}

std::uint64_t toCycles(std::chrono::nanoseconds time, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000'000;
    const auto nanoseconds = static_cast<std::uint64_t>(time.count());
    const std::uint64_t cycles = nanoseconds / kPerSecond * clockHz +
                                 nanoseconds % kPerSecond * (clockHz / 1000) / (kPerSecond / 1000);
    return std::max<std::uint64_t>(cycles, 1);  // 0 would be no limit
}

std::chrono::nanoseconds toTime(std::uint64_t cycles, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000'000;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(
            cycles / clockHz * kPerSecond + cycles % clockHz * kPerSecond / clockHz));
}

/// What a job says of the tensors that it sized.
struct ShapeFindings {
    /// An output in a buffer that waits for its shape.
    struct Claim {
        std::size_t output = 0;
        Dimensions dimensions;
    };
    std::vector<Claim> claims;
    std::vector<std::uint64_t> capacities;  // for all dynamic tensors, if one needs more
    bool isOutputTooSmall = false;
};

/// Completes the outputs' shapes.
ShapeFindings readShapes(const CompiledModel& compiled, const std::vector<hw::DspShape>& shapes,
                         const BoundRequest& request,
                         android::hardware::hidl_vec<nn::V1_2::OutputShape>& outputs) {
    ShapeFindings findings;
    std::vector<std::uint64_t> capacities;
    bool isMoreNeeded = false;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const DynamicTensor& tensor = compiled.dynamicTensors[i];
        const hw::DspShape& shape = shapes[i];
        const bool isTooLarge = shape.state == hw::kShapeTooLarge;
        capacities.push_back(tensor.capacityBytes);
        if (tensor.output == DynamicTensor::kInternal) {
            if (isTooLarge) {
                isMoreNeeded = true;
                // chosen: a quarter more, so that growing results do not compile anew each time
                capacities.back() = shape.neededBytes + shape.neededBytes / 4;
            }
            continue;
        }
        if (shape.state == hw::kShapeUnknown) {
            continue;
        }
        const std::uint32_t rank = std::min<std::uint32_t>(shape.rank, hw::kMaxTensorRank);
        const Dimensions dimensions(shape.dimensions, shape.dimensions + rank);
        outputs[tensor.output].dimensions = dimensions;
        const BoundArgument& argument = request.outputs[tensor.output];
        if (argument.buffer != nullptr && argument.memory == nullptr) {
            findings.claims.push_back({tensor.output, dimensions});
        } else if (isTooLarge) {
            outputs[tensor.output].isSufficient = false;
            findings.isOutputTooSmall = true;
        }
    }
    if (isMoreNeeded) {
        findings.capacities = std::move(capacities);
    }
    return findings;
}

void flushOutputs(const BoundRequest& request) {
    for (const BoundArgument& output : request.outputs) {
        if (output.pool != nullptr) {
            output.pool->flush();
        }
    }
}

/// Address of the bytes behind a region; `availableBytes` of them exist.
struct RegionBase {
    std::uint64_t address = 0;
    std::uint64_t availableBytes = 0;
};

Result<RegionBase> argumentBase(const std::vector<BoundArgument>& arguments, const Region& region,
                                const char* what) {
    if (region.index >= arguments.size() || arguments[region.index].hasNoValue) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("{} {} has no value, but the model needs it", what, region.index));
    }
    const BoundArgument& argument = arguments[region.index];
    return RegionBase{argument.address(), argument.lengthBytes};
}

}  // namespace

ExecutionResult PreparedModelCore::execute(const BoundRequest& request,
                                           const ExecutionOptions& options) {
    auto result = run(request, options);
    if (!result || result->status != ErrorStatus::NONE) {
        invalidateOutputs(request);
    }
    if (!result) {
        runtime().log().line(describe("execution", result.error()));
        return failedExecution(result.error().status);
    }
    return std::move(*result);
}

Result<ExecutionResult> PreparedModelCore::run(const BoundRequest& asked,
                                               const ExecutionOptions& options) {
    // However idle the device is, a deadline that has passed before the start is missed: persistent
    //
    VNPU_TRY(checkDeadline(options.deadline, runtime().port(),
                           ErrorStatus::MISSED_DEADLINE_PERSISTENT, "before the start"));
    BoundRequest request = asked;
    BufferClaims claims;  // ends before the request lets go of the buffers' memory
    VNPU_TRY(claims.claimInputs(request));
    const ModelForm form = formOf(request);
    std::vector<std::uint64_t> capacities;
    for (int attempts = 0; attempts < kMaxAttempts; ++attempts) {
        auto executable = executableFor(
                form, capacities, [&] { return !hasPassed(options.deadline, runtime().port()); });
        if (!executable) {
            return tl::unexpected(std::move(executable.error()));
        }
        const CompiledModel& compiled = *(*executable)->compiled();
        VNPU_TRY(checkAgainstCompiled(compiled, request));
        VNPU_TRY(claims.claimOutputs(request, compiled));
        auto result = attempt(**executable, request, options, claims, capacities);
        if (!result) {
            return tl::unexpected(std::move(result.error()));
        }
        if (*result) {
            if ((*result)->status == ErrorStatus::NONE) {
                claims.confirm();
            }
            return std::move(**result);
        }
    }
    return fail(ErrorStatus::GENERAL_FAILURE,
                fmt::format("tensors outgrew their room {} times", kMaxAttempts));
}

Result<std::optional<ExecutionResult>> PreparedModelCore::attempt(
        Executable& executable, BoundRequest& request, const ExecutionOptions& options,
        BufferClaims& claims, std::vector<std::uint64_t>& capacities) {
    DevicePort& port = runtime().port();
    const CompiledModel& compiled = *executable.compiled();
    ExecutionResult result = failedExecution(ErrorStatus::NONE);
    const auto insufficient = [&] {
        result.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        runtime().log().line(
                "execution: OUTPUT_INSUFFICIENT_SIZE: an output's memory is too small");
        return std::optional(std::move(result));
    };
    bool areAllSufficient = false;
    result.outputShapes = shapesOf(compiled, request, areAllSufficient);
    if (!areAllSufficient) {
        return insufficient();
    }
    auto admission = admit(executable, options);
    if (!admission) {
        return tl::unexpected(std::move(admission.error()));
    }
    const WorkspaceLease workspace(executable, (*admission)->patience());
    if (!workspace) {
        return (*admission)->missed();
    }
    VNPU_TRY(checkDeadline(options.deadline, port, ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                           "behind earlier executions"));
    VNPU_TRY(fillRegions(executable, *workspace, request));
    executable.clearShapes(*workspace);
    auto record = runJob(executable, *workspace, options, **admission);
    if (!record) {
        return tl::unexpected(std::move(record.error()));
    }
    ShapeFindings findings =
            readShapes(compiled, executable.shapesIn(*workspace), request, result.outputShapes);
    for (const ShapeFindings::Claim& claim : findings.claims) {
        VNPU_TRY(claims.claimOutput(request, claim.output, claim.dimensions));
    }
    if (findings.isOutputTooSmall) {
        return insufficient();
    }
    if (record->status == hw::JobStatus::kNoRoom && findings.claims.empty() &&
        findings.capacities.empty()) {
        return fail(ErrorStatus::GENERAL_FAILURE, "device lacks room that nothing asked for");
    }
    if (!findings.claims.empty() || !findings.capacities.empty()) {
        if (!findings.capacities.empty()) {
            capacities = std::move(findings.capacities);
        }
        return std::nullopt;
    }
    VNPU_TRY(checkOutputShapes(result.outputShapes, request));
    flushOutputs(request);
    if (options.isMeasured) {
        const auto inDriver =
                std::chrono::duration_cast<std::chrono::microseconds>(port.now() - options.arrival);
        result.timing = {.timeOnDevice = toMicroseconds(record->endCycle - record->startCycle,
                                                        runtime().info().clockHz),
                         .timeInDriver = static_cast<std::uint64_t>(inDriver.count())};
    }
    return std::optional(std::move(result));
}

Result<void> PreparedModelCore::fillRegions(const Executable& executable,
                                            const Executable::Workspace& workspace,
                                            const BoundRequest& request) const {
    const CompiledModel& compiled = *executable.compiled();
    std::byte* entries = workspace.regionTable.bytes().data();
    for (const Region& region : compiled.regions) {
        Result<RegionBase> base;
        switch (region.kind) {
            case RegionKind::kDriverConstants:
                base = RegionBase{executable.constantsAddress(), compiled.constants.size()};
                break;
            case RegionKind::kConstantPool:
                if (region.index >= pools_.size()) {
                    return fail(ErrorStatus::GENERAL_FAILURE,
                                fmt::format("compiled model uses constant pool {} of {}",
                                            region.index, pools_.size()));
                }
                base = RegionBase{pools_[region.index]->address(),
                                  pools_[region.index]->bytes().size()};
                break;
            case RegionKind::kScratch:
                base = RegionBase{workspace.scratch ? workspace.scratch->address() : 0,
                                  compiled.scratchBytes};
                break;
            case RegionKind::kInput:
                base = argumentBase(request.inputs, region, "input");
                break;
            case RegionKind::kOutput: {
                // In a buffer that waits for its shape, or without elements.
                const bool isPlaceless = region.index < request.outputs.size() &&
                                         !request.outputs[region.index].hasNoValue &&
                                         request.outputs[region.index].lengthBytes == 0;
                base = isPlaceless ? RegionBase{executable.spareAddress(workspace),
                                                CompiledModel::kSpareBytes}
                                   : argumentBase(request.outputs, region, "output");
                break;
            }
        }
        if (!base) {
            return tl::unexpected(std::move(base.error()));
        }
        if (region.sizeBytes > base->availableBytes) {
            return fail(ErrorStatus::GENERAL_FAILURE,
                        fmt::format("compiled model takes {} bytes of a region of {}",
                                    region.sizeBytes, base->availableBytes));
        }
        const bool isOpen =
                region.kind == RegionKind::kOutput && compiled.isDynamicOutput(region.index);
        const fw::RegionEntry entry{.address = base->address,
                                    .sizeBytes = isOpen ? base->availableBytes : region.sizeBytes,
                                    .flags = region.isWritable ? fw::kRegionWritable : 0,
                                    .reserved = 0};
        std::memcpy(entries, &entry, sizeof(entry));
        entries += sizeof(entry);
    }
    return {};
}

Result<std::unique_ptr<Admission>> PreparedModelCore::admit(Executable& executable,
                                                            const ExecutionOptions& options) const {
    const std::uint64_t clockHz = runtime().info().clockHz;
    const std::chrono::nanoseconds ready = runtime().power().readyIn(clockLevel());
    auto admission = runtime().admissions().admit(
            {.model = &executable,
             .uid = context_->uid(),
             .halPriority = options_.halPriority,
             .service = toTime(executable.estimate().cycles(), clockHz),
             .ready = ready,
             .yield = toTime(executable.compiled()->longestIntervalCycles, clockHz),
             .deadline = options.deadline,
             .callId = options.callId});
    if (!admission && ready > std::chrono::nanoseconds(0)) {
        runtime().power().wake();  // so that it may succeed soon, as TRANSIENT promises
    }
    return admission;
}

Result<fw::CompletionRecord> PreparedModelCore::runJob(Executable& executable,
                                                       const Executable::Workspace& workspace,
                                                       const ExecutionOptions& options,
                                                       Admission& admission) {
    const DriverLog& log = runtime().log();
    runtime().port().chargeHost(HostWork::kSubmit);
    std::uint64_t submittedId = 0;
    fw::JobSlot slot = executable.slotFor(workspace);
    slot.loopTimeoutCycles = toCycles(options.loopTimeout, runtime().info().clockHz);
    slot.clockLevel = clockLevel();
    slot.level = devicePriority(options_.halPriority, runtime().options().scheduling).level;
    if (options.deadline) {
        slot.deadlineCycle = toCycles(*options.deadline, runtime().info().clockHz);
    }
    const auto onSubmitted = [&](std::uint64_t jobId) {
        submittedId = jobId;
        if (log.observer() != nullptr) {
            log.observer()->onJobSubmitted(log.now(), jobId, options.callId,
                                           *executable.compiled());
        }
    };
    auto ended = runtime().runJob(*ring_, slot,
                                  {.uid = context_->uid(),
                                   .halPriority = options_.halPriority,
                                   .patience = admission.patience(),
                                   .onSubmitted = onSubmitted});
    if (ended && !*ended) {
        return admission.missed();
    }
    Result<fw::CompletionRecord> record =
            ended ? Result<fw::CompletionRecord>(**ended) : tl::unexpected(ended.error());
    if (record && record->status == hw::JobStatus::kAborted && admission.isGivenUp()) {
        record = admission.missed();
    }
    const ErrorStatus status = record ? toErrorStatus(record->status) : record.error().status;
    if (log.observer() != nullptr) {
        log.observer()->onJobCompleted(log.now(), submittedId, status);
    }
    if (!record) {
        return record;
    }
    runtime().port().chargeHost(HostWork::kComplete);
    if (record->status == hw::JobStatus::kOk) {
        const bool wasWhole = record->preemptions == 0 && record->restarts == 0;
        const std::uint64_t cycles = record->executedCycles != 0 || !wasWhole
                                             ? record->executedCycles
                                             : record->endCycle - record->startCycle;
        executable.estimate().observe(cycles);
        admission.succeed(toTime(cycles, runtime().info().clockHz));
    }
    if (status != ErrorStatus::NONE && record->status != hw::JobStatus::kNoRoom) {
        return fail(status, fmt::format("{}, uid {}, context {}", describe(*record),
                                        context_->uid(), context_->index()));
    }
    if (record->endCycle < record->startCycle) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("job {} ended at cycle {}, before its start at {}", record->jobId,
                                record->endCycle, record->startCycle));
    }
    return record;
}

}  // namespace vnpu::driver
