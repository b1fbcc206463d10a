// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "driver/cache/cached_model.h"
#include "driver/compiler/compiler.h"
#include "driver/execution/compiler_functions.h"
#include "driver/execution/device_runtime.h"
#include "driver/execution/executable.h"
#include "driver/execution/execution_request.h"
#include "driver/port/mutex.h"
#include "driver/result.h"

namespace vnpu::driver {

class BufferClaims;

/// The properties of a request that decide how the model is compiled.
struct ModelForm {
    /// For inputs of open shape; empty for the others.
    std::vector<std::vector<std::uint32_t>> inputDimensions;
    std::vector<bool> omittedInputs, omittedOutputs;  // one per input and output

    bool operator==(const ModelForm&) const = default;
};

/// A valid model on the device, for one caller and priority: its constants stay mapped and its
/// compiled forms stay in device memory. The HAL objects of all versions use it. Any thread but the
/// interrupt thread.
class PreparedModel {
  public:
    struct Options {
        std::shared_ptr<DeviceRuntime> runtime;
        CompilerFunctions compiler;
        std::uint32_t uid = 0;
        ModelTerms terms = {};
        HostDeadline deadline = {};  // of the preparation
    };

    /// Maps the constants and, unless the model leaves an input shape open, compiles; otherwise the
    /// first execution compiles. MISSED_DEADLINE_PERSISTENT if that takes, or would take, longer
    /// than the deadline allows. `model` is valid. `compiled` is a form compiled earlier for this
    /// model and device; GENERAL_FAILURE if the model has open input shapes.
    static Result<std::shared_ptr<PreparedModel>> create(
            const Options& options, const android::hardware::neuralnetworks::V1_3::Model& model,
            std::optional<CompiledModel> compiled = std::nullopt);

    DeviceRuntime& runtime() const { return *options_.runtime; }
    const android::hardware::neuralnetworks::V1_3::Model& model() const { return model_; }
    /// As roles of buffers name it; borrows the model.
    RoleModel roleModel() const { return {id_, model_, context_}; }
    Context& context() const { return *context_; }
    const ModelTerms& terms() const { return options_.terms; }

    /// Validates a request and maps its memory (bindRequest()).
    Result<BoundRequest> bind(const android::hardware::neuralnetworks::V1_3::Request& request,
                              std::vector<std::shared_ptr<const PoolMapping>> mappings = {}) const;

    /// Runs a bound request to its end.
    ExecutionResult execute(const BoundRequest& request, const ExecutionOptions& options);

    /// The compiled form used last; null before the first.
    std::shared_ptr<const CompiledModel> compiled() const;

    /// The mapped bytes of the model's pools.
    std::vector<PoolView> constants() const;

  private:
    struct Variant {
        ModelForm form;
        std::shared_ptr<Executable> executable;
    };
    static constexpr std::size_t kMaxVariants =
            4;  // chosen: device memory for as many sets of input shapes

    PreparedModel(const Options& options, android::hardware::neuralnetworks::V1_3::Model model,
                  std::shared_ptr<Context> context, std::shared_ptr<JobRing> ring,
                  std::vector<std::shared_ptr<const PoolMapping>> pools);
    /// With at least these capacities (CompileOptions::capacities).
    Result<std::shared_ptr<Executable>> executableFor(const ModelForm& form,
                                                      const std::vector<std::uint64_t>& capacities,
                                                      const std::function<bool()>& mayGoOn);
    Result<CompiledModel> compileForm(const ModelForm& form,
                                      const std::vector<std::uint64_t>& capacities,
                                      const std::function<bool()>& mayGoOn) const;
    std::size_t operationCount() const;
    std::uint32_t halPriority() const {
        return static_cast<std::uint32_t>(options_.terms.priority);
    }
    /// The clock level of its jobs.
    std::uint32_t clockLevel() const {
        return runtime().power().levelFor(options_.terms.preference);
    }
    /// Stores a compiled model in place of an earlier one of the same form; drops others if memory
    /// is short.
    Result<std::shared_ptr<Executable>> addVariant(const ModelForm& form, CompiledModel compiled);
    /// Returns false if there is none.
    bool dropOldestVariant();
    /// The form with the model's own shapes and no omitted argument.
    ModelForm plainForm() const;
    ModelForm formOf(const BoundRequest& request) const;
    Result<ExecutionResult> run(const BoundRequest& asked, const ExecutionOptions& options);
    /// One attempt of run(). Nothing if tensors outgrew their room; `capacities` and `claims` are
    /// then ready for the next attempt.
    Result<std::optional<ExecutionResult>> attempt(Executable& executable, BoundRequest& request,
                                                   const ExecutionOptions& options,
                                                   BufferClaims& claims,
                                                   std::vector<std::uint64_t>& capacities);
    /// Address of the bytes behind a region; `availableBytes` of them exist.
    struct RegionBase {
        std::uint64_t address = 0;
        std::uint64_t availableBytes = 0;
    };
    static Result<RegionBase> argumentBase(const std::vector<BoundArgument>& arguments,
                                           const Region& region, const char* what);
    Result<RegionBase> baseOf(const Region& region, const Executable& executable,
                              const Executable::Workspace& workspace,
                              const BoundRequest& request) const;
    Result<void> fillRegions(const Executable& executable, const Executable::Workspace& workspace,
                             const BoundRequest& request) const;
    Result<std::unique_ptr<Admission>> admit(Executable& executable,
                                             const ExecutionOptions& options) const;
    /// One job from its slot to its record, with the events and figures that it gives.
    Result<fw::CompletionRecord> submit(Executable& executable,
                                        const Executable::Workspace& workspace,
                                        const ExecutionOptions& options, Admission& admission);

    const Options options_;
    const CountedLife life_;
    const ModelId id_;
    const android::hardware::neuralnetworks::V1_3::Model model_;
    const std::shared_ptr<Context> context_;
    const std::shared_ptr<JobRing> ring_;
    const std::vector<std::shared_ptr<const PoolMapping>> pools_;  // of the model's constants
    HostLock compileTurn_;  // held while compiling, so that no shape is compiled twice
    mutable Mutex mutex_ VNPU_LOCK_RANK(30);
    std::list<Variant> variants_ VNPU_GUARDED_BY(mutex_);  // most recently used first
};

}  // namespace vnpu::driver
