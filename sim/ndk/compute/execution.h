// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworksTypes.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sim/ndk/compute/burst.h"
#include "sim/ndk/compute/compilation.h"
#include "sim/ndk/compute/event.h"

namespace vnpu::sim::ndk {

/// One computation of a compilation; android/NeuralNetworks.h documents the functions. One thread
/// at a time, besides those that compute.
class Execution : public std::enable_shared_from_this<Execution> {
    using Type = const ANeuralNetworksOperandType*;

  public:
    explicit Execution(std::shared_ptr<const Compilation> compilation);

    /// A null pointer means an absent argument.
    Result<void> setPointer(bool isInput, std::int32_t index, Type type, std::byte* pointer,
                            std::size_t length);
    Result<void> setMemory(bool isInput, std::int32_t index, Type type, const SharedMemory& memory,
                           std::size_t offset, std::size_t length);
    Result<void> setMeasureTiming(bool isMeasured);
    Result<void> setTimeout(std::chrono::nanoseconds duration);
    Result<void> setLoopTimeout(std::chrono::nanoseconds duration);

    Result<void> compute();
    Result<void> compute(Burst& burst);
    Result<std::shared_ptr<Event>> start();
    Result<std::shared_ptr<Event>> startFenced(std::vector<std::shared_ptr<Event>> dependencies,
                                               std::chrono::nanoseconds duration);

    Result<std::uint64_t> duration(std::int32_t code);
    /// What is known of an output after the computation.
    Result<OutputShape> outputShape(std::int32_t index);

    /// Ends the fenced computation, whose fence has been signaled, if it has not ended yet; returns
    /// the code. Any thread.
    ResultCode endFenced();

  private:
    enum class State : std::uint8_t { kOpen, kComputing, kComputed };

    Result<void> checkIsOpen() const;
    /// Ends a fenced computation if its fence has been signaled. Any thread.
    void endIfSignaled();
    /// Lets memories from descriptions ask for the end of this fenced computation.
    void becomeWriter();
    /// Finds out whether the computation has ended.
    Result<void> checkIsComputed();
    Result<Argument*> argumentOf(bool isInput, std::int32_t index);
    Result<Dimensions> shapeFrom(const nn::V1_3::Operand& operand, Type type, bool isInput) const;
    Result<void> checkLength(const nn::V1_3::Operand& operand, const Dimensions& shape,
                             std::size_t length) const;
    void set(bool isInput, std::int32_t index, Argument argument);
    Result<void> begin();
    /// Computes on this thread after begin().
    ResultCode run(const std::vector<std::shared_ptr<BurstLink>>& bursts);
    void finish(CallOutcome outcome);
    Result<std::shared_ptr<Event>> startOnDevice(std::span<const int> fences);
    Result<std::shared_ptr<Event>> eventAfterCopies();
    Result<std::shared_ptr<Event>> deviceEvent();
    tl::unexpected<Error> refuse(Error error);
    template <typename Work>
    auto endingWith(const Work& work);
    Result<std::shared_ptr<Event>> startOnWorker(std::vector<std::shared_ptr<Event>> dependencies);

    const std::shared_ptr<const Compilation> compilation_;
    Call call_;
    std::vector<bool> areInputsSet_;
    std::vector<bool> areOutputsSet_;
    std::chrono::nanoseconds timeout_{0};
    std::atomic<State> state_{State::kOpen};
    // Written before state_ becomes kComputed.
    CallOutcome outcome_;
    Timing fencedTiming_ = kNoTiming;
    std::mutex fenceMutex_;  // guards the end of a fenced computation: link_, its outcome
    std::unique_ptr<FencedLink> link_;
};

}  // namespace vnpu::sim::ndk
