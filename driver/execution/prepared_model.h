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
    std::vector<bool> omittedInputs, omittedOutputs;                  // one per input and output
    std::vector<std::optional<ImageRows>> inputImages, outputImages;  // the same

    bool operator==(const ModelForm&) const = default;
};

/// A valid model on the device, for one caller and priority: its constants stay mapped and its
/// compiled forms stay in device memory. The HAL's methods are those of the derived class
/// (hal/npu_prepared_model.h). Any thread but the interrupt thread.
class PreparedModel : public android::hardware::neuralnetworks::V1_3::IPreparedModel {
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
    template <typename Derived>
    static Result<android::sp<Derived>> create(
            const Options& options, const android::hardware::neuralnetworks::V1_3::Model& model,
            std::optional<CompiledModel> compiled = std::nullopt) {
        VNPU_TRY_ASSIGN(auto parts, take(options, model, compiled.has_value()));
        android::sp<Derived> prepared(new Derived(std::move(parts)));
        VNPU_TRY(prepared->load(std::move(compiled)));
        return prepared;
    }

    DeviceRuntime& runtime() const { return *parts_.options.runtime; }
    const android::hardware::neuralnetworks::V1_3::Model& model() const { return parts_.model; }
    /// As roles of buffers name it; borrows the model.
    RoleModel roleModel() const { return {id_, parts_.model, parts_.context}; }
    Context& context() const { return *parts_.context; }
    const ModelTerms& terms() const { return parts_.options.terms; }

    /// Validates a request and maps its memory (bindRequest()).
    Result<BoundRequest> bind(const android::hardware::neuralnetworks::V1_3::Request& request,
                              std::vector<std::shared_ptr<const PoolMapping>> mappings = {}) const;

    /// Runs a bound request to its end.
    ExecutionResult run(const BoundRequest& request, const ExecutionOptions& options);

    /// The compiled form used last; null before the first.
    std::shared_ptr<const CompiledModel> compiled() const;

    /// The mapped bytes of the model's pools.
    std::vector<PoolView> constants() const;

  protected:
    /// The properties of a model, and everything that it keeps in use.
    struct Parts {
        Options options;
        android::hardware::neuralnetworks::V1_3::Model model;
        std::shared_ptr<Context> context;
        std::shared_ptr<JobRing> ring;
        std::vector<std::shared_ptr<const PoolMapping>> pools;  // of the model's constants
    };

    explicit PreparedModel(Parts parts);

  private:
    struct Variant {
        ModelForm form;
        std::shared_ptr<Executable> executable;
    };
    static constexpr std::size_t kMaxVariants =
            4;  // chosen: device memory for as many sets of input shapes

    static Result<Parts> take(const Options& options,
                              const android::hardware::neuralnetworks::V1_3::Model& model,
                              bool isCompiled);
    /// Loads the compiled form, or compiles it unless an input shape is open.
    Result<void> load(std::optional<CompiledModel> compiled);
    /// A compiled form with at least these capacities (CompileOptions::capacities); null if there
    /// is none yet.
    std::shared_ptr<Executable> readyExecutable(const ModelForm& form,
                                                const std::vector<std::uint64_t>& capacities);
    /// The same, compiled if necessary.
    Result<std::shared_ptr<Executable>> executableFor(const ModelForm& form,
                                                      const std::vector<std::uint64_t>& capacities,
                                                      const std::function<bool()>& mayGoOn);
    Result<CompiledModel> compileForm(const ModelForm& form,
                                      const std::vector<std::uint64_t>& capacities,
                                      const std::function<bool()>& mayGoOn) const;
    std::size_t operationCount() const;
    std::uint32_t halPriority() const {
        return static_cast<std::uint32_t>(parts_.options.terms.priority);
    }
    /// The clock level of its jobs.
    std::uint32_t clockLevel() const {
        return runtime().power().levelFor(parts_.options.terms.preference);
    }
    /// Stores a compiled model in place of an earlier one of the same form; drops others if memory
    /// is short.
    Result<std::shared_ptr<Executable>> addVariant(const ModelForm& form, CompiledModel compiled);
    /// Returns false if there is none.
    bool dropOldestVariant();
    /// The form with the model's own shapes and no omitted argument.
    ModelForm plainForm() const;
    ModelForm formOf(const BoundRequest& request) const;
    Result<ExecutionResult> runAttempts(const BoundRequest& asked, const ExecutionOptions& options);
    /// One attempt. Nothing if tensors outgrew their room; `capacities` and `claims` are
    /// then ready for the next attempt.
    Result<std::optional<ExecutionResult>> attempt(Executable& executable, BoundRequest& request,
                                                   const ExecutionOptions& options,
                                                   BufferClaims& claims,
                                                   std::vector<std::uint64_t>& capacities);
    Result<std::unique_ptr<Admission>> admit(Executable& executable,
                                             const ExecutionOptions& options) const;
    /// One job from its slot to its record, with the events and figures that it gives.
    Result<fw::CompletionRecord> submit(Executable& executable,
                                        const Executable::Workspace& workspace,
                                        const ExecutionOptions& options, Admission& admission,
                                        JobHistory::Entry& entry);

    const Parts parts_;
    const CountedLife life_;
    const ModelId id_;
    const std::shared_ptr<const std::string> label_;  // for people who watch its jobs
    HostLock compileTurn_;  // held while compiling, so that no shape is compiled twice
    mutable Mutex mutex_ VNPU_LOCK_RANK(30);
    std::list<Variant> variants_ VNPU_GUARDED_BY(mutex_);  // most recently used first
};

}  // namespace vnpu::driver
