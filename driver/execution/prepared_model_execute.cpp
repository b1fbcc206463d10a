// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "driver/execution/buffer_claims.h"
#include "driver/execution/hal_status.h"
#include "driver/execution/output_shapes.h"
#include "driver/execution/prepared_model.h"

namespace vnpu::driver {

namespace {

// chosen: each attempt completes at least one operation of a chain, and chains of tensors that only
// the device sizes are short
constexpr int kMaxAttempts = 64;

/// A deadline that had passed at the beginning is missed on an idle device too: persistent. One
/// that has passed since may be met by another try.
Result<void> checkDeadline(const ExecutionOptions& options, DevicePort& port, const char* when) {
    if (!hasPassed(options.deadline, port)) {
        return {};
    }
    return fail(options.begin >= *options.deadline ? ErrorStatus::MISSED_DEADLINE_PERSISTENT
                                                   : ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                fmt::format("deadline at {} ns of device time has passed {}",
                            options.deadline->count(), when));
}

std::uint64_t toCycles(std::chrono::nanoseconds time, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000'000;
    const auto nanoseconds = static_cast<std::uint64_t>(time.count());
    const std::uint64_t cycles = nanoseconds / kPerSecond * clockHz +
                                 nanoseconds % kPerSecond * (clockHz / 1000) / (kPerSecond / 1000);
    return std::max<std::uint64_t>(cycles, 1);  // 0 means no limit
}

std::chrono::nanoseconds toTime(std::uint64_t cycles, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000'000;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(
            cycles / clockHz * kPerSecond + cycles % clockHz * kPerSecond / clockHz));
}

void flushOutputs(const BoundRequest& request) {
    for (const BoundArgument& output : request.outputs) {
        if (output.pool != nullptr) {
            output.pool->flush();
        }
    }
}

/// The memory that one job uses.
struct JobMemory {
    const Executable& executable;
    const Executable::Workspace& workspace;
    const BoundRequest& request;
    const std::vector<std::shared_ptr<const PoolMapping>>& pools;  // of the model's constants
};

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
    return RegionBase{argument.address(), argument.roomBytes()};
}

/// Where a pool of the model's constants lies in the context.
Result<RegionBase> poolBase(const Region& region, const JobMemory& memory) {
    if (region.index >= memory.pools.size()) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("compiled model uses constant pool {} of {}", region.index,
                                memory.pools.size()));
    }
    const PoolMapping& pool = *memory.pools[region.index];
    return RegionBase{pool.address(), pool.bytes().size()};
}

Result<RegionBase> baseOf(const Region& region, const JobMemory& memory) {
    const CompiledModel& compiled = *memory.executable.compiled();
    const std::vector<BoundArgument>& outputs = memory.request.outputs;
    switch (region.kind) {
        case RegionKind::kDriverConstants:
            return RegionBase{memory.executable.constantsAddress(), compiled.constants.size()};
        case RegionKind::kConstantPool:
            return poolBase(region, memory);
        case RegionKind::kScratch:
            return RegionBase{memory.workspace.scratch ? memory.workspace.scratch->address() : 0,
                              compiled.scratchBytes};
        case RegionKind::kInput:
            return argumentBase(memory.request.inputs, region, "input");
        case RegionKind::kOutput:
            break;
    }
    // An output in a buffer whose shape is still unknown, or one without elements.
    const bool isPlaceless = region.index < outputs.size() && !outputs[region.index].hasNoValue &&
                             outputs[region.index].lengthBytes == 0;
    return isPlaceless ? RegionBase{memory.executable.spareAddress(memory.workspace),
                                    CompiledModel::kSpareBytes}
                       : argumentBase(outputs, region, "output");
}

/// Writes the job's region table.
Result<void> fillRegions(const JobMemory& memory) {
    const CompiledModel& compiled = *memory.executable.compiled();
    std::byte* entries = memory.workspace.regionTable.bytes().data();
    const OnChipConstants* const onChip = memory.executable.onChip();
    for (std::size_t i = 0; i < compiled.regions.size(); ++i) {
        const Region& region = compiled.regions[i];
        VNPU_TRY_ASSIGN(RegionBase base, baseOf(region, memory));
        if (const auto copied = onChip != nullptr ? onChip->addressOf(i) : std::nullopt) {
            base.address = *copied;
        }
        if (region.sizeBytes > base.availableBytes) {
            return fail(ErrorStatus::GENERAL_FAILURE,
                        fmt::format("compiled model takes {} bytes of a region of {}",
                                    region.sizeBytes, base.availableBytes));
        }
        const bool isOpen =
                region.kind == RegionKind::kOutput && compiled.isDynamicOutput(region.index);
        const fw::RegionEntry entry{.address = base.address,
                                    .sizeBytes = isOpen ? base.availableBytes : region.sizeBytes,
                                    .flags = region.isWritable ? fw::kRegionWritable : 0,
                                    .reserved = 0};
        std::memcpy(entries, &entry, sizeof(entry));
        entries += sizeof(entry);
    }
    return {};
}

/// The device time that a finished job would have taken without other jobs.
std::uint64_t cyclesAlone(const fw::CompletionRecord& record) {
    const bool wasWhole = record.preemptions == 0 && record.restarts == 0;
    return record.executedCycles != 0 || !wasWhole
                   ? record.executedCycles - std::min(record.executedCycles, record.wastedCycles)
                   : record.endCycle - record.startCycle;
}

}  // namespace

ExecutionResult PreparedModel::run(const BoundRequest& request, const ExecutionOptions& options) {
    auto result = runAttempts(request, options);
    if (!result || result->status != ErrorStatus::NONE) {
        invalidateOutputs(request);
    }
    if (!result) {
        runtime().log().line(describe("execution", result.error()));
        return failedExecution(result.error().status);
    }
    return std::move(*result);
}

Result<ExecutionResult> PreparedModel::runAttempts(const BoundRequest& asked,
                                                   const ExecutionOptions& options) {
    VNPU_TRY(checkDeadline(options, runtime().port(), "before the start"));
    BoundRequest request = asked;
    BufferClaims claims;  // ends before the request lets go of the buffers' memory
    VNPU_TRY(claims.claimInputs(request));
    const ModelForm form = formOf(request);
    std::vector<std::uint64_t> capacities;
    for (int attempts = 0; attempts < kMaxAttempts; ++attempts) {
        VNPU_TRY_ASSIGN(const auto executable, executableFor(form, capacities, [&] {
                            return !hasPassed(options.deadline, runtime().port());
                        }));
        const CompiledModel& compiled = *executable->compiled();
        VNPU_TRY(checkAgainstCompiled(compiled, request));
        VNPU_TRY(claims.claimOutputs(request, compiled));
        VNPU_TRY_ASSIGN(auto result, attempt(*executable, request, options, claims, capacities));
        if (result) {
            if (result->status == ErrorStatus::NONE) {
                claims.confirm();
            }
            return std::move(*result);
        }
    }
    return fail(ErrorStatus::GENERAL_FAILURE,
                fmt::format("tensors outgrew their room {} times", kMaxAttempts));
}

Result<std::optional<ExecutionResult>> PreparedModel::attempt(
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
    result.outputShapes = shapesOf(compiled, request);
    if (!std::all_of(result.outputShapes.begin(), result.outputShapes.end(),
                     [](const auto& shape) { return shape.isSufficient; })) {
        return insufficient();
    }
    VNPU_TRY_ASSIGN(auto admission, admit(executable, options));
    JobHistory::Entry entry(
            runtime().history(), port,
            {.uid = parts_.context->uid(),
             .halPriority = halPriority(),
             .arrival = options.begin,
             .deadline = options.deadline,
             .estimate = toTime(executable.expectedCycles(), runtime().info().clockHz),
             .model = label_});
    const Executable::Lease workspace = executable.acquire(admission->waitBudget());
    if (!workspace) {
        return entry.failed(admission->missed());
    }
    if (auto inTime = checkDeadline(options, port, "behind earlier executions"); !inTime) {
        return entry.failed(tl::unexpected(std::move(inTime.error())));
    }
    VNPU_TRY(fillRegions({executable, *workspace, request, parts_.pools}));
    executable.clearShapes(*workspace);
    VNPU_TRY_ASSIGN(auto record, submit(executable, *workspace, options, *admission, entry));
    ShapeFindings findings =
            readShapes(compiled, executable.shapesIn(*workspace), request, result.outputShapes);
    for (const ShapeFindings::Claim& claim : findings.claims) {
        VNPU_TRY(claims.claimOutput(request, claim.output, claim.dimensions));
    }
    if (findings.isOutputTooSmall) {
        return insufficient();
    }
    if (record.status == hw::JobStatus::kNoRoom && findings.claims.empty() &&
        findings.capacities.empty()) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    "the device reports too little room, but no tensor needs more");
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
        const auto microseconds = [](std::chrono::nanoseconds time) {
            return static_cast<std::uint64_t>(time.count() / 1000);
        };
        result.timing = {.timeOnDevice = microseconds(toTime(record.endCycle - record.startCycle,
                                                             runtime().info().clockHz)),
                         .timeInDriver = microseconds(port.now() - options.arrival)};
    }
    return std::optional(std::move(result));
}

Result<std::unique_ptr<Admission>> PreparedModel::admit(Executable& executable,
                                                        const ExecutionOptions& options) const {
    const std::uint64_t clockHz = runtime().info().clockHz;
    const std::chrono::nanoseconds ready = runtime().power().readyIn(clockLevel());
    auto admission = runtime().admissions().admit(
            {.model = &executable,
             .job = {.uid = parts_.context->uid(),
                     .halPriority = halPriority(),
                     .service = toTime(executable.expectedCycles(), clockHz),
                     .yield = toTime(executable.compiled()->longestIntervalCycles, clockHz),
                     .deadline = options.deadline},
             .begin = options.begin,
             .ready = ready,
             .callId = options.callId});
    if (!admission && ready > std::chrono::nanoseconds(0)) {
        runtime().power().wake();  // so that the next try may succeed, as TRANSIENT promises
    }
    return admission;
}

Result<fw::CompletionRecord> PreparedModel::submit(Executable& executable,
                                                   const Executable::Workspace& workspace,
                                                   const ExecutionOptions& options,
                                                   Admission& admission, JobHistory::Entry& entry) {
    const DriverLog& log = runtime().log();
    runtime().port().chargeHost(HostWork::kSubmit);
    std::uint64_t submittedId = 0;
    fw::JobSlot slot = executable.slotFor(workspace);
    slot.loopTimeoutCycles = toCycles(options.loopTimeout, runtime().info().clockHz);
    slot.clockLevel = clockLevel();
    slot.level = devicePriority(halPriority(), runtime().options().scheduling).level;
    if (options.deadline) {
        slot.deadlineCycle = toCycles(*options.deadline, runtime().info().clockHz);
    }
    const auto onSubmitted = [&](std::uint64_t jobId) {
        submittedId = jobId;
        entry.submitted(jobId);
        log.event(&DriverObserver::onJobSubmitted, jobId, options.callId, *executable.compiled());
    };
    auto ended = runtime().executor().scheduleAndRun(*parts_.ring, slot,
                                                     {.uid = parts_.context->uid(),
                                                      .halPriority = halPriority(),
                                                      .waitBudget = admission.waitBudget(),
                                                      .onSubmitted = onSubmitted});
    if (ended && !*ended) {
        return entry.failed(admission.missed());
    }
    Result<fw::CompletionRecord> record =
            ended ? Result<fw::CompletionRecord>(**ended) : tl::unexpected(ended.error());
    if (record && record->status == hw::JobStatus::kAborted && admission.isGivenUp()) {
        record = admission.missed();
    }
    const ErrorStatus status = record ? toErrorStatus(record->status) : record.error().status;
    if (record) {
        entry.setOutcome(
                status,
                toTime(record->executedCycles + record->switchCycles, runtime().info().clockHz),
                record->preemptions);
    } else {
        entry.setOutcome(status);
    }
    log.event(&DriverObserver::onJobCompleted, submittedId, status);
    if (!record) {
        return record;
    }
    runtime().port().chargeHost(HostWork::kComplete);
    if (record->status == hw::JobStatus::kOk) {
        const std::uint64_t cycles = cyclesAlone(*record);
        executable.observe(cycles);
        admission.succeed(toTime(cycles, runtime().info().clockHz));
    }
    if (status != ErrorStatus::NONE && record->status != hw::JobStatus::kNoRoom) {
        return fail(status, fmt::format("{}, uid {}, context {}", describe(*record),
                                        parts_.context->uid(), parts_.context->index()));
    }
    if (record->endCycle < record->startCycle) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("job {} ended at cycle {}, before its start at {}", record->jobId,
                                record->endCycle, record->startCycle));
    }
    return record;
}

}  // namespace vnpu::driver
