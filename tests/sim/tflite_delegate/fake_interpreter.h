// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/tflite_delegate/int_array.h"
#include "sim/tflite_delegate/tflite_abi.h"
#include "tests/sim/tflite_delegate/builtin_data.h"

namespace vnpu::sim::test {

namespace abi = vnpu::sim::tflite_abi;

/// An interpreter with the first graph of a .tflite file, which builds the C structures as
/// TensorFlow Lite does and divides the nodes in the same way. It executes kernels of delegates and
/// custom operators of the test; any other node fails in invoke().
class FakeInterpreter {
  public:
    using Custom = std::function<void(FakeInterpreter& self, const abi::TfLiteNode& node)>;

    explicit FakeInterpreter(std::vector<std::byte> file);
    ~FakeInterpreter();
    FakeInterpreter(const FakeInterpreter&) = delete;
    FakeInterpreter& operator=(const FakeInterpreter&) = delete;

    /// How custom operators are executed, by their names.
    std::map<std::string, Custom> customs;

    abi::TfLiteStatus apply(abi::TfLiteDelegate& delegate);
    /// Gives a tensor another shape; kernels are prepared by the next allocate().
    void resize(int tensor, const std::vector<int>& shape);
    /// Prepares the kernels of the plan.
    abi::TfLiteStatus allocate();
    abi::TfLiteStatus invoke();
    /// Zeroes the variables.
    void resetVariables();

    abi::TfLiteTensor& tensor(int index) { return tensors_.at(static_cast<std::size_t>(index)); }
    std::span<std::byte> bytes(int index);
    void fill(int index, std::span<const std::byte> values);
    std::vector<std::byte> copy(int index);
    const std::vector<int>& inputs() const { return inputs_; }
    const std::vector<int>& outputs() const { return outputs_; }
    const std::vector<int>& plan() const { return plan_; }
    std::size_t kernelCount() const;
    std::size_t nodeCount() const { return fileNodes_; }
    /// The node, to make it wrong.
    abi::TfLiteNode& node(int index) { return nodes_.at(static_cast<std::size_t>(index)).node; }
    abi::TfLiteRegistration& registration(int index) {
        return nodes_.at(static_cast<std::size_t>(index)).registration;
    }
    abi::TfLiteContext& context() { return context_; }
    const std::vector<std::string>& errors() const { return errors_; }

  private:
    using IntArray = tflite_delegate::IntArray;
    struct Entry {
        abi::TfLiteNode node{};
        abi::TfLiteRegistration registration{};
        std::string customName;
        BuiltinData builtin;
        std::vector<IntArray> arrays;
        std::unique_ptr<abi::TfLiteDelegateParams> params;
    };
    struct Partition {
        bool isDelegated = false;
        std::vector<int> nodes;
        std::vector<int> inputs, outputs;
    };
    static FakeInterpreter& of(const abi::TfLiteContext* context) {
        return *static_cast<FakeInterpreter*>(context->impl_);
    }

    void readTensor(const tflite::schema::Tensor& table);
    void readNode(const tflite::schema::Operator& table);
    void fillContext();
    abi::TfLiteIntArray* keep(Entry& entry, const std::vector<int>& values);
    abi::TfLiteIntArray* keep(std::vector<int> values);
    void allocateTensor(int index);
    std::vector<Partition> partition(const std::set<int>& chosen) const;
    abi::TfLiteDelegateParams paramsOf(const Partition& part, abi::TfLiteDelegate* delegate);
    abi::TfLiteStatus replace(const abi::TfLiteRegistration& registration,
                              const abi::TfLiteIntArray& nodes, abi::TfLiteDelegate* delegate);

    static abi::TfLiteStatus getPlan(abi::TfLiteContext* context, abi::TfLiteIntArray** plan);
    static abi::TfLiteStatus getNode(abi::TfLiteContext* context, int index, abi::TfLiteNode** node,
                                     abi::TfLiteRegistration** registration);
    static abi::TfLiteStatus preview(abi::TfLiteContext* context, const abi::TfLiteIntArray* nodes,
                                     abi::TfLiteDelegateParams** params, int* count);
    static abi::TfLiteStatus replaceNodes(abi::TfLiteContext* context,
                                          abi::TfLiteRegistration registration,
                                          const abi::TfLiteIntArray* nodes,
                                          abi::TfLiteDelegate* delegate);
    static abi::TfLiteStatus resizeTensor(abi::TfLiteContext* context, abi::TfLiteTensor* tensor,
                                          abi::TfLiteIntArray* size);
    static void reportError(abi::TfLiteContext* context, const char* format, ...);

    std::vector<std::byte> file_;
    const tflite::schema::Model* model_ = nullptr;
    abi::TfLiteContext context_{};
    std::vector<abi::TfLiteTensor> tensors_;
    std::deque<std::vector<std::byte>> memory_;  // of tensors
    std::deque<std::string> names_;
    std::deque<IntArray> arrays_;
    std::deque<IntArray> plans_;
    std::deque<std::vector<float>> scaleBlocks_;
    std::deque<abi::TfLiteAffineQuantization> quantizations_;
    std::deque<abi::TfLiteSparsity> sparsities_;
    std::deque<std::vector<abi::TfLiteDimensionMetadata>> metadata_;
    std::deque<Entry> nodes_;
    std::size_t fileNodes_ = 0;
    std::vector<int> plan_, inputs_, outputs_;
    std::vector<abi::TfLiteDelegateParams> previewed_;
    std::vector<std::string> errors_;
};

}  // namespace vnpu::sim::test
