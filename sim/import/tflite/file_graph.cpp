// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/file_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/schema_access.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::size_t kMaxRank = 8;                       // chosen: more than any operator takes
constexpr std::uint64_t kMaxTensorBytes = 1U << 30U;      // chosen: any size in bytes fits 32 bits
constexpr std::int8_t kPlaceholderForGreaterCodes = 127;  // source: TensorFlow Lite schema

bool isQuantizable(TensorType type) {
    return type == TensorType::INT8 || type == TensorType::UINT8 || type == TensorType::INT16 ||
           type == TensorType::INT4;
}

}  // namespace

std::string TensorView::place() const {
    return fmt::format("tensor {} ({})", index, name);
}

Graph::Graph(const File& file, std::size_t index)
    : file_(&file), table_(&file.subgraph(index)), index_(index) {}

std::string Graph::placeOf(const std::string& what) const {
    return index_ == 0 ? what : fmt::format("subgraph {} {}", index_, what);
}

std::size_t Graph::tensorCount() const {
    return sizeOf(table_->tensors());
}

std::size_t Graph::operatorCount() const {
    return sizeOf(table_->operators());
}

std::vector<std::int32_t> Graph::checkedIndexes(const void* vector, const std::string& place,
                                                bool mayBeOmitted) const {
    const auto* indexes = static_cast<const flatbuffers::Vector<std::int32_t>*>(vector);
    std::vector<std::int32_t> checked;
    for (std::size_t i = 0; i < sizeOf(indexes); ++i) {
        const std::int32_t index = indexes->Get(static_cast<flatbuffers::uoffset_t>(i));
        const bool isOmitted = index == -1 && mayBeOmitted;
        if (!isOmitted && (index < 0 || static_cast<std::size_t>(index) >= tensorCount())) {
            file_->fail(placeOf(place),
                        fmt::format("entry {} is tensor {}, expected 0 to {}", i, index,
                                    static_cast<std::int64_t>(tensorCount()) - 1));
        }
        checked.push_back(index);
    }
    return checked;
}

std::vector<std::int32_t> Graph::inputs() const {
    return checkedIndexes(table_->inputs(), "model inputs", false);
}

std::vector<std::int32_t> Graph::outputs() const {
    return checkedIndexes(table_->outputs(), "model outputs", false);
}

OperatorView Graph::operatorAt(std::size_t index) const {
    const schema::Operator* table =
            table_->operators()->Get(static_cast<flatbuffers::uoffset_t>(index));
    OperatorView view;
    view.index = static_cast<std::uint32_t>(index);
    view.table = table;
    const std::string place = fmt::format("operator {}", index);
    const auto* codes = file_->model().operator_codes();
    if (table->opcode_index() >= sizeOf(codes)) {
        file_->fail(placeOf(place),
                    fmt::format("opcode_index is {}, the file has {} operator codes",
                                table->opcode_index(), sizeOf(codes)));
    }
    const schema::OperatorCode* code = codes->Get(table->opcode_index());
    // Old files have the number in the first field only; new ones have the greater of both.
    view.code =
            code->deprecated_builtin_code() == kPlaceholderForGreaterCodes
                    ? code->builtin_code()
                    : std::max<std::int32_t>(code->builtin_code(), code->deprecated_builtin_code());
    view.customName = printable(code->custom_code());
    const std::string named = fmt::format("{} ({})", place, operatorName(view.code));
    view.inputs = checkedIndexes(table->inputs(), named + " inputs", true);
    view.outputs = checkedIndexes(table->outputs(), named + " outputs", true);
    view.intermediates = checkedIndexes(table->intermediates(), named + " intermediates", true);
    if (table->custom_options() != nullptr) {
        view.customOptions = std::as_bytes(
                std::span(table->custom_options()->data(), table->custom_options()->size()));
    }
    return view;
}

void Graph::checkShape(TensorView& tensor, const void* tensorTable) const {
    const auto* table = static_cast<const schema::Tensor*>(tensorTable);
    const auto* signature = table->shape_signature();
    if (sizeOf(table->shape()) > kMaxRank) {
        file_->fail(placeOf(tensor.place()), fmt::format("has {} dimensions, expected at most {}",
                                                         sizeOf(table->shape()), kMaxRank));
    }
    for (flatbuffers::uoffset_t i = 0; i < sizeOf(table->shape()); ++i) {
        const std::int32_t dimension = table->shape()->Get(i);
        if (dimension < -1) {
            file_->fail(placeOf(tensor.place()),
                        fmt::format("dimension {} is {}, expected at least 1, 0 for none, or -1 "
                                    "where it is open",
                                    i, dimension));
        }
        tensor.isOpen = tensor.isOpen || dimension == -1;
        tensor.dimensions.push_back(dimension == -1 ? 0 : static_cast<std::uint32_t>(dimension));
    }
    for (flatbuffers::uoffset_t i = 0; i < sizeOf(signature); ++i) {
        tensor.isOpen = tensor.isOpen || signature->Get(i) == -1;
    }
}

void Graph::checkData(TensorView& tensor, const void* tensorTable) const {
    const auto* table = static_cast<const schema::Tensor*>(tensorTable);
    const std::string place = placeOf(tensor.place());
    const std::uint32_t elementSize = typeBytes(tensor.type);
    const std::uint64_t count = elementCount(tensor.dimensions);
    if (count > kMaxTensorBytes / std::max(elementSize, 1U)) {
        file_->fail(place, fmt::format("{} of {} is larger than {} bytes", typeName(tensor.type),
                                       describeDimensions(tensor.dimensions), kMaxTensorBytes));
    }
    tensor.data = file_->buffer(table->buffer(), place);
    tensor.hasData = !tensor.data.empty();
    if (!tensor.hasData || tensor.sparsity != nullptr) {
        return;
    }
    const std::uint64_t expected =
            tensor.type == TensorType::INT4 ? (count + 1) / 2 : count * elementSize;
    const bool hasSize = elementSize != 0 || tensor.type == TensorType::INT4;
    if (hasSize && tensor.data.size() != expected) {
        file_->fail(place,
                    fmt::format("buffer {} has {} bytes, expected {} for {} of {}", table->buffer(),
                                tensor.data.size(), expected, typeName(tensor.type),
                                describeDimensions(tensor.dimensions)));
    }
}

void Graph::checkQuantization(TensorView& tensor, const void* tensorTable) const {
    const std::string place = placeOf(tensor.place());
    const schema::QuantizationParameters* quantization =
            static_cast<const schema::Tensor*>(tensorTable)->quantization();
    if (quantization == nullptr || sizeOf(quantization->scale()) == 0) {
        return;
    }
    const std::size_t count = sizeOf(quantization->scale());
    if (count > 1) {
        // Some converters give biases the channel dimension of their weights.
        const std::int32_t axis =
                tensor.dimensions.size() == 1 ? 0 : quantization->quantized_dimension();
        if (axis < 0 || static_cast<std::size_t>(axis) >= tensor.dimensions.size()) {
            file_->fail(place,
                        fmt::format("quantized_dimension is {}, the tensor has {} dimensions", axis,
                                    tensor.dimensions.size()));
        }
        tensor.channelDimension = static_cast<std::uint32_t>(axis);
        if (count != tensor.dimensions[tensor.channelDimension]) {
            file_->fail(place, fmt::format("has {} scales, expected {} for dimension {} of {}",
                                           count, tensor.dimensions[tensor.channelDimension], axis,
                                           describeDimensions(tensor.dimensions)));
        }
    }
    const std::vector<std::int64_t> zeroPoints = copyOf(quantization->zero_point());
    if (zeroPoints.size() != count && !zeroPoints.empty()) {
        file_->fail(place,
                    fmt::format("has {} zero points and {} scales", zeroPoints.size(), count));
    }
    for (flatbuffers::uoffset_t i = 0; i < count; ++i) {
        const float scale = quantization->scale()->Get(i);
        if (!std::isfinite(scale) || scale <= 0.0F) {
            if (!isQuantizable(
                        tensor.type)) {  // some converters write 0 where nothing is quantized
                tensor.scales.clear();
                tensor.zeroPoints.clear();
                return;
            }
            file_->fail(place, fmt::format("scale {} is {}, expected above 0", i, scale));
        }
        const std::int64_t zeroPoint = zeroPoints.empty() ? 0 : zeroPoints[i];
        if (zeroPoint < std::numeric_limits<std::int32_t>::min() ||
            zeroPoint > std::numeric_limits<std::int32_t>::max()) {
            file_->fail(place, fmt::format("zero point {} is {}, expected 32 bits", i, zeroPoint));
        }
        tensor.scales.push_back(scale);
        tensor.zeroPoints.push_back(static_cast<std::int32_t>(zeroPoint));
    }
}

std::string Graph::tensorName(std::int32_t index) const {
    return printable(table_->tensors()->Get(static_cast<flatbuffers::uoffset_t>(index))->name());
}

TensorView Graph::tensor(std::int32_t index) const {
    const schema::Tensor* table =
            table_->tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
    TensorView view;
    view.index = index;
    view.name = printable(table->name());
    view.type = table->type();
    view.isVariable = table->is_variable();
    view.sparsity = table->sparsity();
    checkShape(view, table);
    checkData(view, table);
    checkQuantization(view, table);
    return view;
}

std::string typeName(TensorType type) {
    const char* name = schema::EnumNameTensorType(type);
    return *name != '\0' ? name : fmt::format("type {}", static_cast<int>(type));
}

std::uint32_t typeBytes(TensorType type) {
    switch (type) {
        case TensorType::INT8:
        case TensorType::UINT8:
        case TensorType::BOOL:
            return 1;
        case TensorType::INT16:
        case TensorType::UINT16:
        case TensorType::FLOAT16:
        case TensorType::BFLOAT16:
            return 2;
        case TensorType::FLOAT32:
        case TensorType::INT32:
        case TensorType::UINT32:
            return 4;
        case TensorType::FLOAT64:
        case TensorType::INT64:
        case TensorType::UINT64:
        case TensorType::COMPLEX64:
            return 8;
        case TensorType::COMPLEX128:
            return 16;
        default:
            return 0;
    }
}

}  // namespace vnpu::sim::tflite
