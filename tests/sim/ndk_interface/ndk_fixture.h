// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/ndk_client/ndk_library.h"

namespace vnpu::test {

// The tested library and objects of it. A helper that cannot make an object ends the case.

using NdkModel = sim::NdkHandle<ANeuralNetworksModel>;
using NdkCompilation = sim::NdkHandle<ANeuralNetworksCompilation>;
using NdkExecution = sim::NdkHandle<ANeuralNetworksExecution>;
using NdkMemory = sim::NdkHandle<ANeuralNetworksMemory>;
using NdkMemoryDesc = sim::NdkHandle<ANeuralNetworksMemoryDesc>;
using NdkBurst = sim::NdkHandle<ANeuralNetworksBurst>;
using NdkEvent = sim::NdkHandle<ANeuralNetworksEvent>;

/// The functions of the library under test: that of VNPU_NDK_LIBRARY, by default this project's.
const sim::NdkFunctions& ndk();

/// Runs a case's body in a process of its own (see simCase), because the library's device is a
/// SystemC model.
void ndkCase(const std::function<void()>& body);

/// The name of a result code: "BAD_DATA".
std::string code(int result);
/// Ends the case unless the result is NO_ERROR.
void require(int result);

ANeuralNetworksDevice* deviceAt(std::uint32_t index);
std::uint32_t deviceCount();
/// The first device, which is not the CPU device, and the last, which is.
ANeuralNetworksDevice* firstDevice();
ANeuralNetworksDevice* cpuDevice();

/// What addOperand takes, with its dimensions.
struct OperandSpec {
    std::int32_t type = ANEURALNETWORKS_TENSOR_FLOAT32;
    std::vector<std::uint32_t> dimensions{};
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;

    /// Refers to this object.
    ANeuralNetworksOperandType get() const;
};

/// A vector of two floats, and a number.
inline const OperandSpec kPair{.dimensions = {2}};
inline const OperandSpec kScalar{.type = ANEURALNETWORKS_INT32};

NdkModel newModel();
/// The code of addOperand.
int addOperand(ANeuralNetworksModel* model, const OperandSpec& operand);

/// sum = first + second, vectors of two floats. Operands 0 and 1 are the inputs, 2 is the constant
/// activation, 3 the output.
class SumModel {
  public:
    /// As far as this step of its building.
    enum class Step { kOperands, kOperation, kIdentified, kFinished };

    explicit SumModel(Step last = Step::kFinished, std::vector<std::uint32_t> inputDimensions = {2},
                      std::vector<std::uint32_t> outputDimensions = {2});

    ANeuralNetworksModel* get() const { return model_.get(); }

  private:
    NdkModel model_;
};

/// For the first device, or for all if `isForAll`.
NdkCompilation newCompilation(ANeuralNetworksModel* model, bool isForAll = false);
NdkCompilation compile(ANeuralNetworksModel* model,
                       const std::vector<const ANeuralNetworksDevice*>& devices);
/// Finished, for the first device.
NdkCompilation compile(ANeuralNetworksModel* model);
NdkExecution newExecution(ANeuralNetworksCompilation* compilation);

/// The arguments of SumModel.
struct SumArguments {
    float first[2] = {1.0F, 2.0F};
    float second[2] = {10.0F, 20.0F};
    float sum[2] = {0.0F, 0.0F};

    void giveTo(ANeuralNetworksExecution* execution);
    bool areSummed() const { return sum[0] == 11.0F && sum[1] == 22.0F; }
};

/// A memory file of this process, mapped for its lifetime.
class MemoryFile {
  public:
    explicit MemoryFile(std::size_t sizeBytes);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int descriptor() const { return descriptor_; }
    std::size_t size() const { return sizeBytes_; }
    template <typename T>
    T* as() const {
        return static_cast<T*>(data_);
    }
    /// The whole file as memory of the library.
    NdkMemory memory() const;

  private:
    int descriptor_ = -1;
    std::size_t sizeBytes_ = 0;
    void* data_ = nullptr;
};

NdkMemoryDesc newDesc();
/// A memory for input or output `index` of a compilation alone.
NdkMemory memoryForInput(ANeuralNetworksCompilation* compilation, std::uint32_t index);
NdkMemory memoryForOutput(ANeuralNetworksCompilation* compilation, std::uint32_t index);

}  // namespace vnpu::test
