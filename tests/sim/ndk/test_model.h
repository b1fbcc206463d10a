// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworks.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vnpu::test {

/// A handle of the interface that is freed at the end.
template <typename T, void (*Free)(T*)>
class Owned {
  public:
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Owned(Owned&& other) noexcept : handle_(other.release()) {}
    ~Owned() { Free(handle_); }

    T* get() const { return handle_; }
    T** place() { return &handle_; }
    T* release() {
        T* const handle = handle_;
        handle_ = nullptr;
        return handle;
    }

  private:
    T* handle_ = nullptr;
};

using OwnedModel = Owned<ANeuralNetworksModel, ANeuralNetworksModel_free>;
using OwnedCompilation = Owned<ANeuralNetworksCompilation, ANeuralNetworksCompilation_free>;
using OwnedExecution = Owned<ANeuralNetworksExecution, ANeuralNetworksExecution_free>;
using OwnedEvent = Owned<ANeuralNetworksEvent, ANeuralNetworksEvent_free>;
using OwnedMemory = Owned<ANeuralNetworksMemory, ANeuralNetworksMemory_free>;
using OwnedDesc = Owned<ANeuralNetworksMemoryDesc, ANeuralNetworksMemoryDesc_free>;
using OwnedBurst = Owned<ANeuralNetworksBurst, ANeuralNetworksBurst_free>;

/// Builds a model by the C functions. Fails the test if a call fails.
class TestModel {
  public:
    using Indexes = std::vector<std::uint32_t>;

    TestModel();

    std::uint32_t operand(std::int32_t type, const Indexes& dimensions = {}, float scale = 0,
                          std::int32_t zeroPoint = 0);
    std::uint32_t floats(const Indexes& dimensions) {
        return operand(ANEURALNETWORKS_TENSOR_FLOAT32, dimensions);
    }
    std::uint32_t integer(std::int32_t value);
    std::uint32_t constant(const Indexes& dimensions, const std::vector<float>& values);
    void operation(std::int32_t type, const Indexes& inputs, const Indexes& outputs);
    void finish(const Indexes& inputs, const Indexes& outputs);

    /// An ADD or MUL of two tensors of these dimensions.
    std::uint32_t binary(std::int32_t type, std::uint32_t left, std::uint32_t right,
                         const Indexes& dimensions);

    ANeuralNetworksModel* get() const { return model_.get(); }

  private:
    OwnedModel model_;
    std::uint32_t operands_ = 0;
};

/// out = in * 2 + 1 for tensors of `count` floats.
TestModel affineModel(std::uint32_t count);

/// The device of this name prefix; null if there is none.
ANeuralNetworksDevice* findDevice(const std::string& prefix);
inline ANeuralNetworksDevice* cpu() {
    return findDevice("nnapi-reference");
}

OwnedCompilation compileFor(const TestModel& model, const ANeuralNetworksDevice* device);

/// Computes a model with one input and one output of floats; returns the code.
int computeFloats(const OwnedCompilation& compilation, const std::vector<float>& input,
                  std::vector<float>& output);

/// Values 1, 2, ... of affineModel and its results.
std::vector<float> ramp(std::size_t count);
std::vector<float> affine(const std::vector<float>& input);

}  // namespace vnpu::test
