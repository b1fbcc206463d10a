// SPDX-License-Identifier: Apache-2.0
#include "sim/models/tflite_file.h"

#include <fmt/format.h>
#include <tflite_generated.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "sim/base/error.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::uint32_t kFileVersion = 3;             // source: TensorFlow Lite schema, version 3
constexpr std::size_t kMaxRank = 8;                   // chosen: more than any operator takes
constexpr std::uint64_t kMaxTensorBytes = 1U << 30U;  // chosen: any size in bytes fits 32 bits
constexpr std::int8_t kPlaceholderForGreaterCodes = 127;  // source: TensorFlow Lite schema

std::vector<std::byte> readFile(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, error.message()));
    }
    if (size > FLATBUFFERS_MAX_BUFFER_SIZE) {
        throw InputError(fmt::format("{}: has {} bytes, expected less than 2^31", path, size));
    }
    std::vector<std::byte> bytes(size);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return bytes;
}

const schema::SubGraph& mainGraph(const schema::Model* model) {
    return *model->subgraphs()->Get(0);
}

template <typename T>
std::size_t sizeOf(const flatbuffers::Vector<T>* vector) {
    return vector == nullptr ? 0 : vector->size();
}

std::string printable(const flatbuffers::String* text) {
    std::string name = text == nullptr ? "" : text->str();
    std::replace_if(
            name.begin(), name.end(),
            [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return name;
}

}  // namespace

std::string OperatorView::place() const {
    return fmt::format("operator {} ({})", index, name);
}

File File::load(const std::string& path) {
    return {path, readFile(path)};
}

File::File(std::string path, std::vector<std::byte> bytes)
    : path_(std::move(path)), bytes_(std::move(bytes)) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes_.data());
    // Offset of the root table, then the identifier.
    if (bytes_.size() < 8 || !schema::ModelBufferHasIdentifier(data)) {
        fail("header",
             "is not a TensorFlow Lite model, expected the identifier \"TFL3\" at byte 4");
    }
    flatbuffers::Verifier verifier(data, bytes_.size());
    if (!schema::VerifyModelBuffer(verifier)) {
        fail("structure",
             fmt::format("an offset leads out of the file's {} bytes or is not aligned, expected a "
                         "valid flatbuffer",
                         bytes_.size()));
    }
    model_ = schema::GetModel(data);
    if (model_->version() != kFileVersion) {
        fail("version", fmt::format("is {}, expected {}", model_->version(), kFileVersion));
    }
    if (sizeOf(model_->subgraphs()) == 0) {
        fail("subgraphs", "there is none, expected at least 1");
    }
}

void File::fail(std::string_view place, std::string_view what) const {
    throw InputError(fmt::format("{}: {}: {}", path_, place, what));
}

std::size_t File::tensorCount() const {
    return sizeOf(mainGraph(model_).tensors());
}

std::size_t File::operatorCount() const {
    return sizeOf(mainGraph(model_).operators());
}

std::vector<std::int32_t> File::checkedIndexes(const void* vector, std::string_view place,
                                               bool mayBeOmitted) const {
    const auto* indexes = static_cast<const flatbuffers::Vector<std::int32_t>*>(vector);
    std::vector<std::int32_t> checked;
    for (std::size_t i = 0; i < sizeOf(indexes); ++i) {
        const std::int32_t index = indexes->Get(static_cast<flatbuffers::uoffset_t>(i));
        const bool isOmitted = index == -1 && mayBeOmitted;
        if (!isOmitted && (index < 0 || static_cast<std::size_t>(index) >= tensorCount())) {
            fail(place, fmt::format("entry {} is tensor {}, expected 0 to {}", i, index,
                                    static_cast<std::int64_t>(tensorCount()) - 1));
        }
        checked.push_back(index);
    }
    return checked;
}

std::vector<std::int32_t> File::inputs() const {
    return checkedIndexes(mainGraph(model_).inputs(), "model inputs", false);
}

std::vector<std::int32_t> File::outputs() const {
    return checkedIndexes(mainGraph(model_).outputs(), "model outputs", false);
}

OperatorView File::operatorAt(std::size_t index) const {
    const schema::Operator* table =
            mainGraph(model_).operators()->Get(static_cast<flatbuffers::uoffset_t>(index));
    OperatorView view;
    view.index = static_cast<std::uint32_t>(index);
    view.table = table;
    const std::string place = fmt::format("operator {}", index);
    const auto* codes = model_->operator_codes();
    if (table->opcode_index() >= sizeOf(codes)) {
        fail(place, fmt::format("opcode_index is {}, the file has {} operator codes",
                                table->opcode_index(), sizeOf(codes)));
    }
    const schema::OperatorCode* code = codes->Get(table->opcode_index());
    view.code = code->builtin_code();
    // Older files have the number only in the old, narrower field.
    if (code->deprecated_builtin_code() != kPlaceholderForGreaterCodes) {
        view.code = std::max(view.code, static_cast<std::int32_t>(code->deprecated_builtin_code()));
    }
    view.name = operatorName(view.code);
    if (code->custom_code() != nullptr && view.name == "CUSTOM") {
        view.name += fmt::format(" \"{}\"", printable(code->custom_code()));
    }
    view.inputs = checkedIndexes(table->inputs(), view.place() + " inputs", true);
    view.outputs = checkedIndexes(table->outputs(), view.place() + " outputs", false);
    return view;
}

std::vector<std::uint32_t> File::checkedShape(const void* tensorTable,
                                              const std::string& place) const {
    const auto* table = static_cast<const schema::Tensor*>(tensorTable);
    if (sizeOf(table->shape()) > kMaxRank) {
        fail(place, fmt::format("has {} dimensions, expected at most {}", sizeOf(table->shape()),
                                kMaxRank));
    }
    std::vector<std::uint32_t> dimensions;
    for (flatbuffers::uoffset_t i = 0; i < sizeOf(table->shape()); ++i) {
        const std::int32_t dimension = table->shape()->Get(i);
        if (dimension < 1) {
            fail(place, fmt::format("dimension {} is {}, expected at least 1", i, dimension));
        }
        dimensions.push_back(static_cast<std::uint32_t>(dimension));
    }
    return dimensions;
}

void File::checkData(TensorView& tensor, const void* tensorTable, const std::string& place) const {
    const auto* table = static_cast<const schema::Tensor*>(tensorTable);
    const std::uint32_t elementSize = typeBytes(tensor.type);
    const std::uint64_t count = elementCount(tensor.dimensions);
    if (elementSize != 0 && count > kMaxTensorBytes / elementSize) {
        fail(place, fmt::format("{} of {} is larger than {} bytes", typeName(tensor.type),
                                describeDimensions(tensor.dimensions), kMaxTensorBytes));
    }
    if (table->buffer() == 0) {
        return;  // by convention the empty one
    }
    const auto* buffers = model_->buffers();
    if (table->buffer() >= sizeOf(buffers)) {
        fail(place, fmt::format("buffer is {}, the file has {}", table->buffer(), sizeOf(buffers)));
    }
    const schema::Buffer* buffer = buffers->Get(table->buffer());
    if (buffer->offset() > 1) {
        fail(place, fmt::format("buffer {} lies outside of the flatbuffer, not supported yet",
                                table->buffer()));
    }
    const std::size_t size = sizeOf(buffer->data());
    if (size == 0) {
        return;
    }
    if (size != count * elementSize) {
        fail(place, fmt::format("buffer {} has {} bytes, expected {} for {} of {}", table->buffer(),
                                size, count * elementSize, typeName(tensor.type),
                                describeDimensions(tensor.dimensions)));
    }
    tensor.data = std::as_bytes(std::span(buffer->data()->data(), size));
}

void File::checkQuantization(TensorView& tensor, const void* tensorTable,
                             const std::string& place) const {
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
            fail(place, fmt::format("quantized_dimension is {}, the tensor has {} dimensions", axis,
                                    tensor.dimensions.size()));
        }
        tensor.channelDimension = static_cast<std::uint32_t>(axis);
        if (count != tensor.dimensions[tensor.channelDimension]) {
            fail(place, fmt::format("has {} scales, expected {} for dimension {} of {}", count,
                                    tensor.dimensions[tensor.channelDimension], axis,
                                    describeDimensions(tensor.dimensions)));
        }
    }
    const std::size_t zeroPoints = sizeOf(quantization->zero_point());
    if (zeroPoints != count && zeroPoints != 0) {
        fail(place, fmt::format("has {} zero points and {} scales", zeroPoints, count));
    }
    for (flatbuffers::uoffset_t i = 0; i < count; ++i) {
        const float scale = quantization->scale()->Get(i);
        if (!std::isfinite(scale) || scale <= 0.0F) {
            fail(place, fmt::format("scale {} is {}, expected above 0", i, scale));
        }
        const std::int64_t zeroPoint = zeroPoints == 0 ? 0 : quantization->zero_point()->Get(i);
        if (zeroPoint < std::numeric_limits<std::int32_t>::min() ||
            zeroPoint > std::numeric_limits<std::int32_t>::max()) {
            fail(place, fmt::format("zero point {} is {}, expected 32 bits", i, zeroPoint));
        }
        tensor.scales.push_back(scale);
        tensor.zeroPoints.push_back(static_cast<std::int32_t>(zeroPoint));
    }
}

TensorView File::tensor(std::int32_t index) const {
    const schema::Tensor* table =
            mainGraph(model_).tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
    TensorView view;
    view.index = index;
    view.name = printable(table->name());
    view.type = table->type();
    const std::string place = fmt::format("tensor {} ({})", index, view.name);
    if (table->is_variable()) {
        fail(place, "is a variable, not supported yet");
    }
    if (table->sparsity() != nullptr) {
        fail(place, "is sparse, not supported yet");
    }
    view.dimensions = checkedShape(table, place);
    checkData(view, table, place);
    checkQuantization(view, table, place);
    return view;
}

}  // namespace vnpu::sim::tflite
