// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/ndk_session.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "driver/result.h"
#include "sim/base/scratch_folder.h"
#include "sim/conform/ndk_arguments.h"
#include "sim/conform/ndk_buffers.h"
#include "sim/conform/ndk_model.h"

namespace vnpu::sim {

namespace {

namespace fs = std::filesystem;

using Compilation = NdkHandle<ANeuralNetworksCompilation>;
using Execution = NdkHandle<ANeuralNetworksExecution>;
using Done = tl::expected<void, NdkFailure>;

constexpr int kLevel = 30;
constexpr std::size_t kTokenBytes = 32;  // source: NNAPI, BYTE_SIZE_OF_CACHE_TOKEN

/// Microseconds, as the HAL has them; UINT64_MAX stands for an unknown time in both.
std::uint64_t toMicroseconds(std::uint64_t nanoseconds) {
    return nanoseconds == UINT64_MAX ? nanoseconds : nanoseconds / 1000;
}

/// The names of all devices of a library, for messages.
std::string joinNames(const NdkFunctions& ndk, std::uint32_t count) {
    std::string names;
    for (std::uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = nullptr;
        const char* name = nullptr;
        if (ndk.getDevice(i, &device) == ANEURALNETWORKS_NO_ERROR &&
            ndk.deviceGetName(device, &name) == ANEURALNETWORKS_NO_ERROR) {
            names += (i == 0 ? "" : ", ") + std::string(name);
        }
    }
    return names.empty() ? "none" : names;
}

class NdkSession : public ExampleSession {
  public:
    NdkSession(const NdkDevice& device, const Flavor& flavor)
        : device_(device),
          ndk_(device.ndk),
          flavor_(flavor),
          compilation_(nullptr, ndk_.compilationFree) {}

    SupportAnswer askSupport(const nn::Model& model) override {
        auto built = NdkModel::build(ndk_, model, usesPointers());
        if (!built) {
            return {statusOf(built.error().code), {}};
        }
        model_ = std::move(*built);
        const std::size_t count = model.main.operations.size();
        const auto answers = std::make_unique<bool[]>(count);
        const int code = ndk_.modelGetSupportedOperationsForDevices(model_->get(), &device_.device,
                                                                    1, answers.get());
        return {statusOf(code), std::vector<bool>(answers.get(), answers.get() + count)};
    }

    std::string prepare(const nn::Model& model) override {
        const Done done = flavor_.isCached ? compileThroughCache(model) : compile(model, "");
        return done ? "" : fmt::format("{}, expected NO_ERROR", done.error().describe());
    }

    CallResult execute(const nn::Request& request, const ExecutionOptions& options) override {
        CallResult result;
        const auto execution = startedWith(request, options);
        if (!execution) {
            result.status = statusOf(execution.error().code);
            return result;
        }
        const int code = compute(execution->get(), options.path);
        result.status = statusOf(code);
        if (options.path != ExecutionPath::kFenced) {
            result.outputShapes = shapesOf(execution->get(), request.outputs.size());
        }
        if (options.measuresTiming && code == ANEURALNETWORKS_NO_ERROR) {
            readTiming(execution->get(), options.path, result);
        }
        arguments_.reset();
        return result;
    }

    std::unique_ptr<RoleBuffers> createBuffers() override {
        auto buffers = std::make_unique<NdkBuffers>(ndk_, compilation_.get());
        buffers_ = buffers.get();
        return buffers;
    }

  private:
    bool usesPointers() const { return flavor_.memory == MemoryKind::kPointers; }

    /// Compiles for the device, with a cache if the folder is not empty.
    Done compile(const nn::Model& model, const std::string& cacheFolder) {
        if (model_ == nullptr) {
            VNPU_TRY_ASSIGN(model_, NdkModel::build(ndk_, model, usesPointers()));
        }
        ANeuralNetworksCompilation* made = nullptr;
        VNPU_TRY(succeed(
                "Compilation_createForDevices",
                ndk_.compilationCreateForDevices(model_->get(), &device_.device, 1, &made)));
        compilation_.reset(made);
        if (!cacheFolder.empty()) {
            const std::vector<std::uint8_t> token(kTokenBytes, 1);
            VNPU_TRY(succeed("Compilation_setCaching",
                             ndk_.compilationSetCaching(made, cacheFolder.c_str(), token.data())));
        }
        return succeed("Compilation_finish", ndk_.compilationFinish(made));
    }

    /// Compiles twice, the second time with what the first one has saved.
    Done compileThroughCache(const nn::Model& model) {
        const ScratchFolder folder;
        VNPU_TRY(compile(model, folder.path()));
        std::error_code error;
        if (fs::is_empty(folder.path(), error) || error) {
            return tl::unexpected(
                    NdkFailure{"compilation saved nothing", ANEURALNETWORKS_NO_ERROR});
        }
        return compile(model, folder.path());
    }

    /// An execution with its arguments, ready to be computed.
    tl::expected<Execution, NdkFailure> startedWith(const nn::Request& request,
                                                    const ExecutionOptions& options) {
        ANeuralNetworksExecution* made = nullptr;
        VNPU_TRY(succeed("Execution_create", ndk_.executionCreate(compilation_.get(), &made)));
        Execution execution(made, ndk_.executionFree);
        if (options.measuresTiming) {
            VNPU_TRY(succeed("Execution_setMeasureTiming",
                             ndk_.executionSetMeasureTiming(made, true)));
        }
        if (options.loopTimeout) {
            const auto timeout = static_cast<std::uint64_t>(options.loopTimeout->count());
            VNPU_TRY(succeed("Execution_setLoopTimeout",
                             ndk_.executionSetLoopTimeout(made, timeout)));
        }
        VNPU_TRY_ASSIGN(arguments_, NdkArguments::create(ndk_, request, buffers_, usesPointers()));
        VNPU_TRY(arguments_->setAll(made));
        return execution;
    }

    /// Computes and waits. Returns the ResultCode.
    int compute(ANeuralNetworksExecution* execution, ExecutionPath path) {
        switch (path) {
            case ExecutionPath::kSync:
                return ndk_.executionCompute(execution);
            case ExecutionPath::kBurst:
                return computeInBurst(execution);
            default:
                return computeInBackground(execution, path);
        }
    }

    int computeInBurst(ANeuralNetworksExecution* execution) {
        ANeuralNetworksBurst* made = nullptr;
        const int code = ndk_.burstCreate(compilation_.get(), &made);
        const NdkHandle<ANeuralNetworksBurst> burst(made, ndk_.burstFree);
        return code == ANEURALNETWORKS_NO_ERROR ? ndk_.executionBurstCompute(execution, made)
                                                : code;
    }

    int computeInBackground(ANeuralNetworksExecution* execution, ExecutionPath path) {
        ANeuralNetworksEvent* made = nullptr;
        const int code = path == ExecutionPath::kFenced
                                 ? ndk_.executionStartComputeWithDependencies(execution, nullptr, 0,
                                                                              0, &made)
                                 : ndk_.executionStartCompute(execution, &made);
        const NdkHandle<ANeuralNetworksEvent> event(made, ndk_.eventFree);
        return code == ANEURALNETWORKS_NO_ERROR ? ndk_.eventWait(made) : code;
    }

    /// The shape of each output that the execution reports.
    std::vector<nn12::OutputShape> shapesOf(ANeuralNetworksExecution* execution,
                                            std::size_t outputs) const {
        std::vector<nn12::OutputShape> shapes;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(outputs); ++i) {
            std::uint32_t rank = 0;
            const int code = ndk_.executionGetOutputOperandRank(execution, i, &rank);
            if (code != ANEURALNETWORKS_NO_ERROR &&
                code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) {
                continue;
            }
            std::vector<std::uint32_t> dimensions(rank);
            const int again = rank == 0 ? code
                                        : ndk_.executionGetOutputOperandDimensions(
                                                  execution, i, dimensions.data());
            if (again == code) {
                shapes.push_back({dimensions, code == ANEURALNETWORKS_NO_ERROR});
            }
        }
        return shapes;
    }

    /// A time that cannot be read changes the status.
    void readTiming(const ANeuralNetworksExecution* execution, ExecutionPath path,
                    CallResult& result) const {
        const auto read = [&](int durationCode, std::uint64_t& microseconds) {
            const int code = ndk_.executionGetDuration(execution, durationCode, &microseconds);
            result.status = code == ANEURALNETWORKS_NO_ERROR ? result.status : statusOf(code);
            microseconds = toMicroseconds(microseconds);
        };
        const bool isFenced = path == ExecutionPath::kFenced;
        read(isFenced ? ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE
                      : ANEURALNETWORKS_DURATION_ON_HARDWARE,
             result.timing.timeOnDevice);
        read(isFenced ? ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER
                      : ANEURALNETWORKS_DURATION_IN_DRIVER,
             result.timing.timeInDriver);
    }

    const NdkDevice& device_;
    const NdkFunctions& ndk_;
    const Flavor& flavor_;
    std::unique_ptr<NdkModel> model_;
    Compilation compilation_;
    NdkBuffers* buffers_ = nullptr;              // of the last memory in domains; not owned
    std::unique_ptr<NdkArguments> arguments_{};  // of the execution that is computed
};

}  // namespace

tl::expected<NdkDevice, std::string> findNdkDevice(const std::string& library,
                                                   const std::string& name) {
    VNPU_TRY_ASSIGN(const NdkFunctions ndk, loadNdk(library));
    if (levelOf(ndk) < kLevel) {
        return tl::unexpected(fmt::format("{}: has the functions up to level {}, expected {}",
                                          library, levelOf(ndk), kLevel));
    }
    std::uint32_t count = 0;
    ndk.getDeviceCount(&count);
    for (std::uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = nullptr;
        const char* own = nullptr;
        if (ndk.getDevice(i, &device) == ANEURALNETWORKS_NO_ERROR &&
            ndk.deviceGetName(device, &own) == ANEURALNETWORKS_NO_ERROR &&
            (name.empty() || name == own)) {
            return NdkDevice{ndk, device, own};
        }
    }
    return tl::unexpected(fmt::format("{}: has no device {}, expected one of: {}", library, name,
                                      joinNames(ndk, count)));
}

OpenSession ndkSessions(NdkDevice device) {
    return [device = std::move(device)](const Flavor& flavor) {
        return std::make_unique<NdkSession>(device, flavor);
    };
}

}  // namespace vnpu::sim
