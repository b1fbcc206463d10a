// SPDX-License-Identifier: Apache-2.0
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <span>

#include "sim/ndk/c_interface/handles.h"
#include "sim/ndk/c_interface/lists.h"

using namespace vnpu::sim::ndk;  // NOLINT(google-build-using-namespace): only C functions follow

namespace {

Result<void> setPointer(const ANeuralNetworksExecution* execution, bool isInput, int32_t index,
                        const ANeuralNetworksOperandType* type, const void* buffer,
                        std::size_t length) {
    if (buffer == nullptr && length != 0) {
        return failed(ANEURALNETWORKS_UNEXPECTED_NULL, "{} bytes at null", length);
    }
    VNPU_TRY(checkType(type));
    // Nobody writes an input.
    auto* const bytes = static_cast<std::byte*>(const_cast<void*>(buffer));
    return objectOf(execution)->setPointer(isInput, index, type, bytes, length);
}

Result<void> setMemory(const ANeuralNetworksExecution* execution, bool isInput, int32_t index,
                       const ANeuralNetworksOperandType* type, const ANeuralNetworksMemory* memory,
                       std::size_t offset, std::size_t length) {
    VNPU_TRY(checkType(type));
    return objectOf(execution)->setMemory(isInput, index, type, objectOf(memory), offset, length);
}

}  // namespace

int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                    ANeuralNetworksExecution** execution) {
    return answerCreation(__func__, {compilation}, execution,
                          [&]() -> Result<std::shared_ptr<Execution>> {
                              VNPU_TRY(objectOf(compilation)->checkIsReady());
                              return std::make_shared<Execution>(objectOf(compilation));
                          });
}

void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution) {
    freeHandle(execution);
}

int ANeuralNetworksExecution_setInput(ANeuralNetworksExecution* execution, int32_t index,
                                      const ANeuralNetworksOperandType* type, const void* buffer,
                                      size_t length) {
    return answer(__func__, {execution},
                  [&] { return setPointer(execution, true, index, type, buffer, length); });
}

int ANeuralNetworksExecution_setInputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                const ANeuralNetworksOperandType* type,
                                                const ANeuralNetworksMemory* memory, size_t offset,
                                                size_t length) {
    return answer(__func__, {execution, memory},
                  [&] { return setMemory(execution, true, index, type, memory, offset, length); });
}

int ANeuralNetworksExecution_setOutput(ANeuralNetworksExecution* execution, int32_t index,
                                       const ANeuralNetworksOperandType* type, void* buffer,
                                       size_t length) {
    return answer(__func__, {execution},
                  [&] { return setPointer(execution, false, index, type, buffer, length); });
}

int ANeuralNetworksExecution_setOutputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                 const ANeuralNetworksOperandType* type,
                                                 const ANeuralNetworksMemory* memory, size_t offset,
                                                 size_t length) {
    return answer(__func__, {execution, memory},
                  [&] { return setMemory(execution, false, index, type, memory, offset, length); });
}

int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksEvent** event) {
    return answerCreation(__func__, {execution}, event,
                          [&] { return objectOf(execution)->start(); });
}

int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution) {
    return answer(__func__, {execution}, [&] { return objectOf(execution)->compute(); });
}

int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksBurst* burst) {
    return answer(__func__, {execution, burst},
                  [&] { return objectOf(execution)->compute(*objectOf(burst)); });
}

int ANeuralNetworksExecution_startComputeWithDependencies(
        ANeuralNetworksExecution* execution, const ANeuralNetworksEvent* const* dependencies,
        uint32_t num_dependencies, uint64_t duration, ANeuralNetworksEvent** event) {
    const void* const needed =
            num_dependencies == 0 ? static_cast<const void*>(execution) : dependencies;
    return answerCreation(
            __func__, {execution, needed}, event, [&]() -> Result<std::shared_ptr<Event>> {
                std::vector<std::shared_ptr<Event>> events;
                for (std::uint32_t i = 0; i < num_dependencies; ++i) {
                    if (dependencies[i] == nullptr) {
                        return failed(ANEURALNETWORKS_UNEXPECTED_NULL, "dependency {} is null", i);
                    }
                    events.push_back(objectOf(dependencies[i]));
                }
                return objectOf(execution)->startFenced(std::move(events), nanosecondsOf(duration));
            });
}

int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure) {
    return answer(__func__, {execution},
                  [&] { return objectOf(execution)->setMeasureTiming(measure); });
}

int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution,
                                         int32_t durationCode, uint64_t* duration) {
    return answer(__func__, {execution, duration}, [&]() -> Result<void> {
        *duration = UINT64_MAX;
        VNPU_TRY_ASSIGN(*duration, objectOf(execution)->duration(durationCode));
        return {};
    });
}

int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution,
                                                  int32_t index, uint32_t* rank) {
    return answer(__func__, {execution, rank}, [&]() -> Result<void> {
        VNPU_TRY_ASSIGN(const OutputShape shape, objectOf(execution)->outputShape(index));
        *rank = static_cast<std::uint32_t>(shape.dimensions.size());
        return shape.isSufficient ? Result<void>()
                                  : failed(ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE,
                                           "output {} had too little room", index);
    });
}

int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution,
                                                        int32_t index, uint32_t* dimensions) {
    return answer(__func__, {execution, dimensions}, [&]() -> Result<void> {
        VNPU_TRY_ASSIGN(const OutputShape shape, objectOf(execution)->outputShape(index));
        if (shape.dimensions.empty()) {
            return badData("output {} has no dimensions", index);
        }
        std::copy(shape.dimensions.begin(), shape.dimensions.end(), dimensions);
        return shape.isSufficient ? Result<void>()
                                  : failed(ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE,
                                           "output {} had too little room", index);
    });
}

int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration) {
    return answer(__func__, {execution},
                  [&] { return objectOf(execution)->setTimeout(nanosecondsOf(duration)); });
}

int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution,
                                            uint64_t duration) {
    return answer(__func__, {execution},
                  [&] { return objectOf(execution)->setLoopTimeout(nanosecondsOf(duration)); });
}

uint64_t ANeuralNetworks_getDefaultLoopTimeout(void) {
    return static_cast<uint64_t>(nn::V1_3::LoopTimeoutDurationNs::DEFAULT);
}

uint64_t ANeuralNetworks_getMaximumLoopTimeout(void) {
    return static_cast<uint64_t>(nn::V1_3::LoopTimeoutDurationNs::MAXIMUM);
}

int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation,
                                ANeuralNetworksBurst** burst) {
    return answerCreation(__func__, {compilation}, burst, [&]() -> Result<std::shared_ptr<Burst>> {
        VNPU_TRY(objectOf(compilation)->checkIsReady());
        return std::make_shared<Burst>(objectOf(compilation));
    });
}

void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst) {
    freeHandle(burst);
}

int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event) {
    return answer(__func__, {event}, [&]() -> Result<void> {
        const ResultCode code = objectOf(event)->wait();
        return code == ANEURALNETWORKS_NO_ERROR ? Result<void>()
                                                : failed(code, "the computation failed");
    });
}

void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event) {
    if (event != nullptr && objectOf(event)->isComputation()) {
        objectOf(event)->wait();
    }
    freeHandle(event);
}

int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event) {
    return answerCreation(__func__, {}, event, [&]() -> Result<std::shared_ptr<Event>> {
        VNPU_TRY_ASSIGN(auto fence, duplicate(sync_fence_fd));
        return std::make_shared<FenceEvent>(std::move(fence));
    });
}

int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd) {
    if (sync_fence_fd != nullptr) {
        *sync_fence_fd = -1;
    }
    return answer(__func__, {event, sync_fence_fd}, [&]() -> Result<void> {
        const int fence = objectOf(event)->fence();
        if (fence < 0) {
            return badData("event is not of a sync fence or a fenced computation");
        }
        VNPU_TRY_ASSIGN(auto copy, duplicate(fence));
        *sync_fence_fd = copy.release();
        return {};
    });
}
