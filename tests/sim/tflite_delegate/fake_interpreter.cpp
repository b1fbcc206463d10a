// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/tflite_delegate/fake_interpreter.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

namespace vnpu::sim::test {

namespace schema = tflite::schema;
using schema::TensorType;

namespace {

constexpr std::int8_t kPlaceholderCode = 127;  // source: TensorFlow Lite schema

/// source: TfLiteType
const std::map<TensorType, std::pair<abi::TfLiteType, std::size_t>> kTypes = {
        {TensorType::FLOAT32, {abi::kTfLiteFloat32, 4}},
        {TensorType::FLOAT16, {abi::kTfLiteFloat16, 2}},
        {TensorType::INT32, {abi::kTfLiteInt32, 4}},
        {TensorType::UINT8, {abi::kTfLiteUInt8, 1}},
        {TensorType::INT64, {abi::kTfLiteInt64, 8}},
        {TensorType::STRING, {abi::kTfLiteString, 0}},
        {TensorType::BOOL, {abi::kTfLiteBool, 1}},
        {TensorType::INT16, {abi::kTfLiteInt16, 2}},
        {TensorType::COMPLEX64, {abi::kTfLiteComplex64, 8}},
        {TensorType::INT8, {abi::kTfLiteInt8, 1}},
        {TensorType::FLOAT64, {abi::kTfLiteFloat64, 8}},
        {TensorType::COMPLEX128, {abi::kTfLiteComplex128, 16}},
        {TensorType::UINT64, {abi::kTfLiteUInt64, 8}},
        {TensorType::RESOURCE, {abi::kTfLiteResource, 0}},
        {TensorType::VARIANT, {abi::kTfLiteVariant, 0}},
        {TensorType::UINT32, {abi::kTfLiteUInt32, 4}},
        {TensorType::UINT16, {abi::kTfLiteUInt16, 2}},
        {TensorType::INT4, {abi::kTfLiteInt4, 1}},
        {TensorType::BFLOAT16, {abi::kTfLiteBFloat16, 2}}};

std::size_t elementBytes(abi::TfLiteType type) {
    for (const auto& [number, facts] : kTypes) {
        if (facts.first == type) {
            return facts.second;
        }
    }
    return 0;
}

template <typename Vector>
std::vector<int> listOf(const Vector* vector) {
    std::vector<int> list;
    for (std::size_t i = 0; vector != nullptr && i < vector->size(); ++i) {
        list.push_back(static_cast<int>(vector->Get(static_cast<flatbuffers::uoffset_t>(i))));
    }
    return list;
}

std::vector<int> listOf(const abi::TfLiteIntArray* array) {
    return array == nullptr ? std::vector<int>() : std::vector<int>(array->begin(), array->end());
}

std::vector<int> segments(schema::SparseIndexVector type, const void* table) {
    switch (type) {
        case schema::SparseIndexVector::Int32Vector:
            return listOf(static_cast<const schema::Int32Vector*>(table)->values());
        case schema::SparseIndexVector::Uint16Vector:
            return listOf(static_cast<const schema::Uint16Vector*>(table)->values());
        case schema::SparseIndexVector::Uint8Vector:
            return listOf(static_cast<const schema::Uint8Vector*>(table)->values());
        default:
            return {};
    }
}

}  // namespace

FakeInterpreter::FakeInterpreter(std::vector<std::byte> file)
    : file_(std::move(file)), model_(schema::GetModel(file_.data())) {
    const schema::SubGraph& graph = *model_->subgraphs()->Get(0);
    for (const auto* table : *graph.tensors()) {
        readTensor(*table);
    }
    for (const auto* table : *graph.operators()) {
        readNode(*table);
    }
    fileNodes_ = nodes_.size();
    inputs_ = listOf(graph.inputs());
    outputs_ = listOf(graph.outputs());
    fillContext();
    resetVariables();
}

FakeInterpreter::~FakeInterpreter() {
    for (std::size_t i = fileNodes_; i < nodes_.size(); ++i) {
        nodes_[i].registration.free(&context_, nodes_[i].node.user_data);
    }
}

void FakeInterpreter::readTensor(const schema::Tensor& table) {
    abi::TfLiteTensor tensor{};
    tensor.type = kTypes.at(table.type()).first;
    std::vector<int> dims = listOf(table.shape());
    std::replace(dims.begin(), dims.end(), -1, 1);
    tensor.dims = keep(std::move(dims));
    names_.push_back(table.name() == nullptr ? "" : table.name()->str());
    tensor.name = names_.back().c_str();
    tensor.is_variable = table.is_variable();
    if (table.shape_signature() != nullptr) {
        tensor.dims_signature = keep(listOf(table.shape_signature()));
    }
    if (const auto* q = table.quantization();
        q != nullptr && q->scale() != nullptr && q->scale()->size() != 0) {
        // A float array has the layout of an integer array: its size, then the numbers.
        scaleBlocks_.emplace_back(q->scale()->size() + 1);
        const int size = static_cast<int>(q->scale()->size());
        std::memcpy(scaleBlocks_.back().data(), &size, sizeof(size));
        std::memcpy(scaleBlocks_.back().data() + 1, q->scale()->Data(),
                    q->scale()->size() * sizeof(float));
        quantizations_.push_back(
                {reinterpret_cast<abi::TfLiteFloatArray*>(scaleBlocks_.back().data()),
                 keep(listOf(q->zero_point())), q->quantized_dimension()});
        tensor.quantization = {abi::kTfLiteAffineQuantization, &quantizations_.back()};
        if (size == 1) {
            const auto* zero = q->zero_point();
            tensor.params = {q->scale()->Get(0), zero == nullptr || zero->size() == 0
                                                         ? 0
                                                         : static_cast<std::int32_t>(zero->Get(0))};
        }
    }
    if (const auto* sparsity = table.sparsity()) {
        metadata_.emplace_back();
        for (const auto* dimension : *sparsity->dim_metadata()) {
            metadata_.back().push_back(
                    {static_cast<int>(dimension->format()), dimension->dense_size(),
                     keep(segments(dimension->array_segments_type(), dimension->array_segments())),
                     keep(segments(dimension->array_indices_type(), dimension->array_indices()))});
        }
        sparsities_.push_back({keep(listOf(sparsity->traversal_order())),
                               keep(listOf(sparsity->block_map())), metadata_.back().data(),
                               static_cast<int>(metadata_.back().size())});
        tensor.sparsity = &sparsities_.back();
    }
    memory_.emplace_back();
    tensors_.push_back(tensor);
    const auto* data = model_->buffers()->Get(table.buffer())->data();
    abi::TfLiteTensor& kept = tensors_.back();
    if (data != nullptr && data->size() != 0) {
        kept.allocation_type = abi::kTfLiteMmapRo;
        const auto view = std::as_bytes(std::span(data->data(), data->size()));
        memory_.back().assign(view.begin(), view.end());
        kept.data = memory_.back().data();
        kept.bytes = memory_.back().size();
    } else {
        kept.allocation_type =
                kept.is_variable ? abi::kTfLiteArenaRwPersistent : abi::kTfLiteArenaRw;
        allocateTensor(static_cast<int>(tensors_.size()) - 1);
        if (kept.bytes == 0) {  // a constant without elements
            kept.allocation_type = abi::kTfLiteMmapRo;
        }
    }
}

void FakeInterpreter::allocateTensor(int index) {
    abi::TfLiteTensor& tensor = tensors_[static_cast<std::size_t>(index)];
    std::size_t size = elementBytes(tensor.type);
    for (const int dimension : *tensor.dims) {
        size *= static_cast<std::size_t>(dimension);
    }
    memory_[static_cast<std::size_t>(index)].assign(std::max<std::size_t>(size, 1), std::byte{0});
    tensor.data = memory_[static_cast<std::size_t>(index)].data();
    tensor.bytes = size;
}

void FakeInterpreter::readNode(const schema::Operator& table) {
    const schema::OperatorCode& code = *model_->operator_codes()->Get(table.opcode_index());
    Entry& entry = nodes_.emplace_back();
    const std::int32_t number =
            code.deprecated_builtin_code() == kPlaceholderCode
                    ? code.builtin_code()
                    : std::max<std::int32_t>(code.builtin_code(), code.deprecated_builtin_code());
    entry.builtin = builtinDataOf(number, table);
    entry.registration.builtin_code = number;
    entry.registration.version = std::max(code.version(), entry.builtin.version);
    if (code.custom_code() != nullptr) {
        entry.customName = code.custom_code()->str();
        entry.registration.custom_name = entry.customName.c_str();
    }
    entry.node.inputs = keep(entry, listOf(table.inputs()));
    entry.node.outputs = keep(entry, listOf(table.outputs()));
    entry.node.intermediates = keep(entry, listOf(table.intermediates()));
    entry.node.temporaries = keep(entry, {});
    entry.node.builtin_data = entry.builtin.data.get();
    if (table.custom_options() != nullptr) {
        entry.node.custom_initial_data = table.custom_options()->data();
        entry.node.custom_initial_data_size = static_cast<int>(table.custom_options()->size());
    }
    plan_.push_back(static_cast<int>(nodes_.size()) - 1);
}

abi::TfLiteIntArray* FakeInterpreter::keep(Entry& entry, const std::vector<int>& values) {
    entry.arrays.emplace_back(values);
    return const_cast<abi::TfLiteIntArray*>(entry.arrays.back().get());
}

abi::TfLiteIntArray* FakeInterpreter::keep(std::vector<int> values) {
    arrays_.emplace_back(values);
    return const_cast<abi::TfLiteIntArray*>(arrays_.back().get());
}

void FakeInterpreter::fillContext() {
    context_.tensors = tensors_.data();
    context_.tensors_size = tensors_.size();
    context_.impl_ = this;
    context_.GetExecutionPlan = getPlan;
    context_.ResizeTensor = resizeTensor;
    context_.ReportError = reportError;
    context_.GetNodeAndRegistration = getNode;
    context_.ReplaceNodeSubsetsWithDelegateKernels = replaceNodes;
    context_.PreviewDelegatePartitioning = preview;
}

abi::TfLiteStatus FakeInterpreter::apply(abi::TfLiteDelegate& delegate) {
    return delegate.Prepare(&context_, &delegate);
}

void FakeInterpreter::resize(int index, const std::vector<int>& shape) {
    tensor(index).dims = keep(shape);
    allocateTensor(index);
}

abi::TfLiteStatus FakeInterpreter::allocate() {
    for (const int index : plan_) {
        Entry& entry = nodes_.at(static_cast<std::size_t>(index));
        if (entry.registration.prepare != nullptr &&
            entry.registration.prepare(&context_, &entry.node) != abi::kTfLiteOk) {
            return abi::kTfLiteError;
        }
    }
    return abi::kTfLiteOk;
}

abi::TfLiteStatus FakeInterpreter::invoke() {
    for (const int index : plan_) {
        Entry& entry = nodes_.at(static_cast<std::size_t>(index));
        if (entry.registration.invoke != nullptr) {
            if (entry.registration.invoke(&context_, &entry.node) != abi::kTfLiteOk) {
                return abi::kTfLiteError;
            }
        } else if (const auto custom = customs.find(entry.customName); custom != customs.end()) {
            custom->second(*this, entry.node);
        } else {
            errors_.push_back("node " + std::to_string(index) + " has no kernel");
            return abi::kTfLiteError;
        }
    }
    return abi::kTfLiteOk;
}

void FakeInterpreter::resetVariables() {
    for (abi::TfLiteTensor& tensor : tensors_) {
        if (tensor.is_variable) {
            const int zero = tensor.type == abi::kTfLiteInt8 ? tensor.params.zero_point : 0;
            std::memset(tensor.data, zero, tensor.bytes);
        }
    }
}

std::span<std::byte> FakeInterpreter::bytes(int index) {
    return {static_cast<std::byte*>(tensor(index).data), tensor(index).bytes};
}

void FakeInterpreter::fill(int index, std::span<const std::byte> values) {
    const auto room = bytes(index);
    std::copy_n(values.begin(), std::min(values.size(), room.size()), room.begin());
}

std::vector<std::byte> FakeInterpreter::copy(int index) {
    const auto view = bytes(index);
    return {view.begin(), view.end()};
}

std::size_t FakeInterpreter::kernelCount() const {
    return static_cast<std::size_t>(std::count_if(plan_.begin(), plan_.end(), [&](int index) {
        return static_cast<std::size_t>(index) >= fileNodes_;
    }));
}

/// In the order of execution, each node joins the present subset if it is of its kind and all its
/// inputs are there; what is left over forms the next subsets.
std::vector<FakeInterpreter::Partition> FakeInterpreter::partition(
        const std::set<int>& chosen) const {
    std::set<int> unmade;
    for (const int index : plan_) {
        for (const int output : *nodes_[static_cast<std::size_t>(index)].node.outputs) {
            unmade.insert(output);
        }
    }
    std::vector<Partition> partitions;
    std::vector<int> left = plan_;
    while (!left.empty()) {
        Partition part;
        std::vector<int> later;
        for (const int index : left) {
            const abi::TfLiteNode& node = nodes_[static_cast<std::size_t>(index)].node;
            const bool isReady = std::none_of(node.inputs->begin(), node.inputs->end(),
                                              [&](int input) { return unmade.contains(input); });
            if (isReady && part.nodes.empty()) {
                part.isDelegated = chosen.contains(index);
            }
            if (!isReady || chosen.contains(index) != part.isDelegated) {
                later.push_back(index);
                continue;
            }
            part.nodes.push_back(index);
            for (const int output : *node.outputs) {
                unmade.erase(output);
            }
        }
        left = std::move(later);
        partitions.push_back(std::move(part));
    }
    for (Partition& part : partitions) {
        std::set<int> inside, read, outside(outputs_.begin(), outputs_.end());
        for (const int index : plan_) {
            const abi::TfLiteNode& node = nodes_[static_cast<std::size_t>(index)].node;
            const bool isMember = std::count(part.nodes.begin(), part.nodes.end(), index) != 0;
            (isMember ? read : outside).insert(node.inputs->begin(), node.inputs->end());
            if (isMember) {
                inside.insert(node.outputs->begin(), node.outputs->end());
            }
        }
        std::set_difference(read.begin(), read.end(), inside.begin(), inside.end(),
                            std::back_inserter(part.inputs));
        std::set_intersection(inside.begin(), inside.end(), outside.begin(), outside.end(),
                              std::back_inserter(part.outputs));
        std::erase(part.inputs, -1);
    }
    return partitions;
}

abi::TfLiteDelegateParams FakeInterpreter::paramsOf(const Partition& part,
                                                    abi::TfLiteDelegate* delegate) {
    return {delegate, keep(part.nodes), keep(part.inputs), keep(part.outputs)};
}

abi::TfLiteStatus FakeInterpreter::replace(const abi::TfLiteRegistration& registration,
                                           const abi::TfLiteIntArray& nodes,
                                           abi::TfLiteDelegate* delegate) {
    std::vector<int> plan;
    for (const Partition& part : partition({nodes.begin(), nodes.end()})) {
        if (!part.isDelegated) {
            plan.insert(plan.end(), part.nodes.begin(), part.nodes.end());
            continue;
        }
        Entry& entry = nodes_.emplace_back();
        entry.registration = registration;
        entry.params = std::make_unique<abi::TfLiteDelegateParams>(paramsOf(part, delegate));
        entry.node.inputs = entry.params->input_tensors;
        entry.node.outputs = entry.params->output_tensors;
        entry.node.intermediates = keep(entry, {});
        entry.node.temporaries = keep(entry, {});
        entry.node.builtin_data = entry.params.get();
        entry.node.delegate = delegate;
        entry.node.user_data =
                registration.init(&context_, reinterpret_cast<const char*>(entry.params.get()),
                                  sizeof(abi::TfLiteDelegateParams));
        plan.push_back(static_cast<int>(nodes_.size()) - 1);
    }
    plan_ = std::move(plan);
    return abi::kTfLiteOk;
}

abi::TfLiteStatus FakeInterpreter::getPlan(abi::TfLiteContext* context,
                                           abi::TfLiteIntArray** plan) {
    FakeInterpreter& self = of(context);
    self.plans_.clear();  // a former plan is invalid
    self.plans_.emplace_back(self.plan_);
    *plan = const_cast<abi::TfLiteIntArray*>(self.plans_.back().get());
    return abi::kTfLiteOk;
}

abi::TfLiteStatus FakeInterpreter::getNode(abi::TfLiteContext* context, int index,
                                           abi::TfLiteNode** node,
                                           abi::TfLiteRegistration** registration) {
    FakeInterpreter& self = of(context);
    if (index < 0 || static_cast<std::size_t>(index) >= self.nodes_.size()) {
        return abi::kTfLiteError;
    }
    *node = &self.node(index);
    *registration = &self.registration(index);
    return abi::kTfLiteOk;
}

abi::TfLiteStatus FakeInterpreter::preview(abi::TfLiteContext* context,
                                           const abi::TfLiteIntArray* nodes,
                                           abi::TfLiteDelegateParams** params, int* count) {
    FakeInterpreter& self = of(context);
    self.previewed_.clear();
    for (const Partition& part : self.partition({nodes->begin(), nodes->end()})) {
        if (part.isDelegated) {
            self.previewed_.push_back(self.paramsOf(part, nullptr));
        }
    }
    *params = self.previewed_.data();
    *count = static_cast<int>(self.previewed_.size());
    return abi::kTfLiteOk;
}

abi::TfLiteStatus FakeInterpreter::replaceNodes(abi::TfLiteContext* context,
                                                abi::TfLiteRegistration registration,
                                                const abi::TfLiteIntArray* nodes,
                                                abi::TfLiteDelegate* delegate) {
    return of(context).replace(registration, *nodes, delegate);
}

abi::TfLiteStatus FakeInterpreter::resizeTensor(abi::TfLiteContext* context,
                                                abi::TfLiteTensor* tensor,
                                                abi::TfLiteIntArray* size) {
    const std::vector<int> shape = listOf(size);
    std::free(size);
    of(context).resize(static_cast<int>(tensor - context->tensors), shape);
    return abi::kTfLiteOk;
}

void FakeInterpreter::reportError(abi::TfLiteContext* context, const char* format, ...) {
    char text[1000];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    of(context).errors_.emplace_back(text);
}

}  // namespace vnpu::sim::test
