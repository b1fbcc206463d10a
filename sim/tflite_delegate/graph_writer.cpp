// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/graph_writer.h"

#include <fmt/format.h>
#include <tflite_generated.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>

#include "sim/import/graph/value.h"
#include "sim/tflite_delegate/operator_options.h"

namespace vnpu::sim::tflite_delegate {

namespace {

namespace schema = vnpu::sim::tflite::schema;
using flatbuffers::Offset;
using graph::Refusal;

constexpr std::size_t kMostBytes = 1U << 30U;   // chosen: half of what a flatbuffer holds
constexpr std::int32_t kPlaceholderCode = 127;  // source: TensorFlow Lite schema
constexpr std::uint32_t kFormatVersion = 3;     // source: TensorFlow Lite schema
constexpr std::size_t kBufferAlignment = 16;    // source: TensorFlow Lite schema

/// The file format's numbers of the interpreter's types, from 1.
constexpr schema::TensorType kTypes[] = {
        schema::TensorType::FLOAT32, schema::TensorType::INT32,     schema::TensorType::UINT8,
        schema::TensorType::INT64,   schema::TensorType::STRING,    schema::TensorType::BOOL,
        schema::TensorType::INT16,   schema::TensorType::COMPLEX64, schema::TensorType::INT8,
        schema::TensorType::FLOAT16, schema::TensorType::FLOAT64,   schema::TensorType::COMPLEX128,
        schema::TensorType::UINT64,  schema::TensorType::RESOURCE,  schema::TensorType::VARIANT,
        schema::TensorType::UINT32,  schema::TensorType::UINT16,    schema::TensorType::INT4,
        schema::TensorType::BFLOAT16};

std::vector<std::int32_t> listOf(const abi::TfLiteIntArray* array) {
    return array == nullptr ? std::vector<std::int32_t>()
                            : std::vector<std::int32_t>(array->begin(), array->end());
}

class GraphWriter {
  public:
    GraphWriter(const abi::TfLiteContext& context, const Subset& subset, PreparedValues prepared)
        : context_(context), subset_(subset), prepared_(prepared) {
        for (const NodeView& view : subset.nodes) {
            const auto outputs = indexesOf(view.node->outputs);
            made_.insert(outputs.begin(), outputs.end());
        }
    }

    WrittenGraph write() {
        buffers_.push_back(schema::CreateBuffer(builder_));  // by convention the empty one
        writeOperators();
        writeTensors();
        WrittenGraph written;
        for (const int input : subset_.inputs) {
            if (input >= 0 && !isConstant(tensorAt(input), input) && !tensorAt(input).is_variable) {
                written.inputs.push_back(input);
            }
        }
        finish(written.inputs);
        const auto view = std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
        written.bytes.assign(view.begin(), view.end());
        return written;
    }

  private:
    const abi::TfLiteTensor& tensorAt(int index) const {
        if (index < 0 || static_cast<std::size_t>(index) >= context_.tensors_size) {
            throw Refusal(fmt::format("a node uses tensor {}, the graph has {}", index,
                                      context_.tensors_size));
        }
        return context_.tensors[index];
    }

    bool isConstant(const abi::TfLiteTensor& tensor, int index) const {
        const bool isFixed = tensor.allocation_type == abi::kTfLiteMmapRo ||
                             (tensor.allocation_type == abi::kTfLitePersistentRo &&
                              prepared_ == PreparedValues::kAreConstant);
        return isFixed && tensor.data != nullptr && !made_.contains(index);
    }

    /// The indexes of a node's tensors, which become part of the model.
    std::vector<std::int32_t> indexesOf(const abi::TfLiteIntArray* array) {
        std::vector<std::int32_t> indexes = listOf(array);
        for (const std::int32_t index : indexes) {
            if (index != -1) {
                tensorAt(index);
                used_.insert(index);
            }
        }
        return indexes;
    }

    void writeOperators() {
        for (const NodeView& view : subset_.nodes) {
            const auto inputs = indexesOf(view.node->inputs);
            const auto outputs = indexesOf(view.node->outputs);
            const auto intermediates = indexesOf(view.node->intermediates);
            const std::size_t rank =
                    inputs.empty() || inputs[0] < 0 ? 0 : listOf(tensorAt(inputs[0]).dims).size();
            const WrittenOptions options =
                    writeOptions(builder_, {.code = view.registration->builtin_code,
                                            .version = view.registration->version,
                                            .data = view.node->builtin_data,
                                            .rank = rank});
            const auto inputVector = builder_.CreateVector(inputs);
            const auto outputVector = builder_.CreateVector(outputs);
            const auto intermediateVector = builder_.CreateVector(intermediates);
            const auto custom = customOptions(*view.node);
            operators_.push_back(schema::CreateOperator(
                    builder_, static_cast<std::uint32_t>(codes_.size()), inputVector, outputVector,
                    options.type, options.table, custom, 0, 0, intermediateVector, 0, 0,
                    options.type2, options.table2));
            codes_.push_back(operatorCode(*view.registration));
        }
    }

    Offset<flatbuffers::Vector<std::uint8_t>> customOptions(const abi::TfLiteNode& node) {
        const bool isThere =
                node.custom_initial_data != nullptr && node.custom_initial_data_size > 0;
        return isThere ? bytesOf(node.custom_initial_data,
                                 static_cast<std::size_t>(node.custom_initial_data_size), 1)
                       : Offset<flatbuffers::Vector<std::uint8_t>>();
    }

    Offset<schema::OperatorCode> operatorCode(const abi::TfLiteRegistration& registration) {
        const char* name = registration.custom_name;
        const auto custom =
                name == nullptr ? Offset<flatbuffers::String>() : builder_.CreateString(name);
        const std::int32_t code = registration.builtin_code;
        return schema::CreateOperatorCode(
                builder_, static_cast<std::int8_t>(std::min(code, kPlaceholderCode)), custom,
                registration.version, code);
    }

    Offset<flatbuffers::Vector<std::uint8_t>> bytesOf(const void* data, std::size_t size,
                                                      std::size_t alignment) {
        size_ += size;
        if (size_ > kMostBytes) {
            throw Refusal(fmt::format("the constants have more than {} bytes", kMostBytes));
        }
        builder_.ForceVectorAlignment(size, 1, alignment);
        return builder_.CreateVector(static_cast<const std::uint8_t*>(data), size);
    }

    /// All tensors up to the last one in use; the others among them stay empty.
    void writeTensors() {
        const int count = used_.empty() ? 0 : *used_.rbegin() + 1;
        const auto nothing = schema::CreateTensor(builder_);
        for (int index = 0; index < count; ++index) {
            tensors_.push_back(used_.contains(index) ? writeTensor(index) : nothing);
        }
    }

    Offset<schema::Tensor> writeTensor(int index) {
        const abi::TfLiteTensor& tensor = tensorAt(index);
        const std::string name = writtenName(index, tensor.name == nullptr ? "" : tensor.name);
        const auto type = static_cast<std::size_t>(tensor.type);
        if (type == 0 || type > std::size(kTypes)) {
            throw Refusal(fmt::format("tensor {} has type {}, expected 1 to {}", name, type,
                                      std::size(kTypes)));
        }
        std::uint32_t buffer = 0;
        if (isConstant(tensor, index) && tensor.bytes != 0) {
            const auto data = bytesOf(tensor.data, tensor.bytes, kBufferAlignment);
            buffer = static_cast<std::uint32_t>(buffers_.size());
            buffers_.push_back(schema::CreateBuffer(builder_, data));
        }
        const auto shape = builder_.CreateVector(listOf(tensor.dims));
        const auto text = builder_.CreateString(name);
        const auto quantization = writeQuantization(tensor, name);
        const auto sparsity = writeSparsity(tensor.sparsity);
        return schema::CreateTensor(builder_, shape, kTypes[type - 1], buffer, text, quantization,
                                    tensor.is_variable, sparsity);
    }

    Offset<schema::QuantizationParameters> writeQuantization(const abi::TfLiteTensor& tensor,
                                                             const std::string& name) {
        if (tensor.quantization.type == abi::kTfLiteNoQuantization) {
            return {};
        }
        if (tensor.quantization.type != abi::kTfLiteAffineQuantization) {
            throw Refusal(
                    fmt::format("tensor {} has quantization of kind {}, expected scales and "
                                "zero points",
                                name, static_cast<int>(tensor.quantization.type)));
        }
        const auto* affine =
                static_cast<const abi::TfLiteAffineQuantization*>(tensor.quantization.params);
        if (affine == nullptr || affine->scale == nullptr || affine->scale->size == 0) {
            return {};
        }
        const std::vector<float> scales(affine->scale->begin(), affine->scale->end());
        std::vector<std::int64_t> zeroPoints(scales.size(), 0);
        if (affine->zero_point != nullptr && affine->zero_point->size > 0) {
            for (std::size_t i = 0; i < zeroPoints.size(); ++i) {
                const auto last = static_cast<std::size_t>(affine->zero_point->size) - 1;
                zeroPoints[i] = affine->zero_point->begin()[std::min(i, last)];
            }
        }
        const auto scaleVector = builder_.CreateVector(scales);
        const auto zeroVector = builder_.CreateVector(zeroPoints);
        return schema::CreateQuantizationParameters(builder_, 0, 0, scaleVector, zeroVector, 0, 0,
                                                    affine->quantized_dimension);
    }

    Offset<void> writeSegments(const abi::TfLiteIntArray* array) {
        const auto values = builder_.CreateVector(listOf(array));
        return schema::CreateInt32Vector(builder_, values).Union();
    }

    Offset<schema::SparsityParameters> writeSparsity(const abi::TfLiteSparsity* sparsity) {
        if (sparsity == nullptr) {
            return {};
        }
        std::vector<Offset<schema::DimensionMetadata>> dimensions;
        for (int i = 0; i < sparsity->dim_metadata_size; ++i) {
            const abi::TfLiteDimensionMetadata& dimension = sparsity->dim_metadata[i];
            const auto format = static_cast<schema::DimensionType>(dimension.format);
            if (format != schema::DimensionType::SPARSE_CSR) {
                dimensions.push_back(
                        schema::CreateDimensionMetadata(builder_, format, dimension.dense_size));
                continue;
            }
            const auto segments = writeSegments(dimension.array_segments);
            const auto indices = writeSegments(dimension.array_indices);
            constexpr auto kKind = schema::SparseIndexVector::Int32Vector;
            dimensions.push_back(schema::CreateDimensionMetadata(
                    builder_, format, dimension.dense_size, kKind, segments, kKind, indices));
        }
        const auto order = builder_.CreateVector(listOf(sparsity->traversal_order));
        const auto blocks = builder_.CreateVector(listOf(sparsity->block_map));
        const auto metadata = builder_.CreateVector(dimensions);
        return schema::CreateSparsityParameters(builder_, order, blocks, metadata);
    }

    void finish(const std::vector<int>& inputs) {
        const auto tensors = builder_.CreateVector(tensors_);
        const auto inputVector = builder_.CreateVector(inputs);
        const auto outputs = builder_.CreateVector(subset_.outputs);
        const auto operators = builder_.CreateVector(operators_);
        const std::vector<Offset<schema::SubGraph>> graphs = {
                schema::CreateSubGraph(builder_, tensors, inputVector, outputs, operators)};
        const auto codes = builder_.CreateVector(codes_);
        const auto graphVector = builder_.CreateVector(graphs);
        const auto buffers = builder_.CreateVector(buffers_);
        schema::FinishModelBuffer(builder_, schema::CreateModel(builder_, kFormatVersion, codes,
                                                                graphVector, 0, buffers));
    }

    const abi::TfLiteContext& context_;
    const Subset& subset_;
    const PreparedValues prepared_;
    flatbuffers::FlatBufferBuilder builder_;
    std::vector<Offset<schema::Buffer>> buffers_;
    std::vector<Offset<schema::OperatorCode>> codes_;
    std::vector<Offset<schema::Operator>> operators_;
    std::vector<Offset<schema::Tensor>> tensors_;
    std::set<int> used_, made_;  // tensors of the nodes, and those that they compute
    std::size_t size_ = 0;
};

}  // namespace

WrittenGraph writeGraph(const abi::TfLiteContext& context, const Subset& subset,
                        PreparedValues prepared) {
    return GraphWriter(context, subset, prepared).write();
}

std::string writtenName(int tensor, std::string_view name) {
    return fmt::format("#{} {}", tensor, name);
}

int tensorOfName(std::string_view name) {
    int tensor = -1;
    if (name.starts_with('#')) {
        const auto [end, error] =
                std::from_chars(name.data() + 1, name.data() + name.size(), tensor);
        const bool isNumber = error == std::errc() && end != name.data() + name.size() &&
                              *end == ' ' && tensor >= 0;
        return isNumber ? tensor : -1;
    }
    return tensor;
}

}  // namespace vnpu::sim::tflite_delegate
