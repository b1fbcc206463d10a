// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/model_file.h"

#include <fmt/format.h>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "sim/base/error.h"

namespace vnpu::sim::onnx {

namespace {

constexpr std::uint64_t kMostTensorBytes = 1ULL << 30;  // chosen: as for tensors of the import

/// Converts the messages of one file; `place` of a message is where in the file the mistake is.
class FileReader {
  public:
    explicit FileReader(const std::string& path) : path_(path) {}

    Model model(const ::onnx::ModelProto& proto) {
        Model model;
        for (const auto& set : proto.opset_import()) {
            model.opsets[domainOf(set.domain())] = set.version();
        }
        if (!proto.has_graph()) {
            fail("model", "there is no graph");
        }
        model.graph = graph(proto.graph());
        for (const auto& function : proto.functions()) {
            model.functions.push_back(this->function(function));
        }
        return model;
    }

    Tensor tensor(const ::onnx::TensorProto& proto, const std::string& place) {
        Tensor tensor;
        tensor.name = printable(proto.name());
        tensor.type = static_cast<ElementType>(proto.data_type());
        std::uint64_t count = 1;
        for (const std::int64_t extent : proto.dims()) {
            if (extent < 0 ||
                __builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count) ||
                count > kMostTensorBytes) {
                fail(place,
                     fmt::format(
                             "a dimension of {}, expected 0 or more and at most {} bytes in all",
                             extent, kMostTensorBytes));
            }
            tensor.dims.push_back(static_cast<std::uint32_t>(extent));
        }
        if (proto.has_segment()) {
            fail(place, "a tensor in segments, expected a whole one");
        }
        if (tensor.type == ElementType::kString) {
            return tensor;
        }
        const std::size_t size = elementBytes(tensor.type);
        if (size == 0) {
            fail(place, fmt::format("element type {}, expected 1 to 16", proto.data_type()));
        }
        const std::uint64_t expected = count * size;
        if (proto.data_location() == ::onnx::TensorProto::EXTERNAL) {
            tensor.data = externalData(proto, expected, place);
        } else if (proto.has_raw_data()) {
            const auto* begin = reinterpret_cast<const std::byte*>(proto.raw_data().data());
            tensor.data.assign(begin, begin + proto.raw_data().size());
        } else {
            tensor.data = listedData(proto, tensor.type);
        }
        if (tensor.data.size() != expected) {
            fail(place, fmt::format("{} bytes of data, expected {}", tensor.data.size(), expected));
        }
        return tensor;
    }

  private:
    [[noreturn]] void fail(const std::string& place, const std::string& what) const {
        throw InputError(fmt::format("{}: {}: {}", path_, place, what));
    }

    /// Names go into messages, which are one line.
    static std::string printable(std::string text) {
        for (char& c : text) {
            c = c >= 0 && c < ' ' ? '_' : c;
        }
        return text;
    }

    /// ONNX's own domain has two names.
    static std::string domainOf(const std::string& domain) {
        return domain == "ai.onnx" ? "" : printable(domain);
    }

    template <typename T, typename Values>
    static std::vector<std::byte> packed(const Values& values) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(values.size()) * sizeof(T));
        for (int i = 0; i < values.size(); ++i) {
            const T value = static_cast<T>(values.Get(i));
            std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
        }
        return bytes;
    }

    /// Elements in the list of their type; small integers and 16-bit reals are in that of int32.
    static std::vector<std::byte> listedData(const ::onnx::TensorProto& proto, ElementType type) {
        switch (type) {
            case ElementType::kFloat:
            case ElementType::kComplex64:
                return packed<float>(proto.float_data());
            case ElementType::kDouble:
            case ElementType::kComplex128:
                return packed<double>(proto.double_data());
            case ElementType::kInt64:
                return packed<std::int64_t>(proto.int64_data());
            case ElementType::kUint64:
                return packed<std::uint64_t>(proto.uint64_data());
            case ElementType::kUint32:
                return packed<std::uint32_t>(proto.uint64_data());
            case ElementType::kInt32:
                return packed<std::int32_t>(proto.int32_data());
            default:
                return elementBytes(type) == 1 ? packed<std::uint8_t>(proto.int32_data())
                                               : packed<std::uint16_t>(proto.int32_data());
        }
    }

    /// A part of another file in the model's folder.
    std::vector<std::byte> externalData(const ::onnx::TensorProto& proto, std::uint64_t expected,
                                        const std::string& place) const {
        std::string location;
        std::uint64_t offset = 0, length = expected;
        for (const auto& entry : proto.external_data()) {
            const std::string& value = entry.value();
            if (entry.key() == "location") {
                location = value;
            } else if (entry.key() == "offset" || entry.key() == "length") {
                std::uint64_t& number = entry.key() == "offset" ? offset : length;
                const auto [end, error] =
                        std::from_chars(value.data(), value.data() + value.size(), number);
                if (error != std::errc() || end != value.data() + value.size()) {
                    fail(place, fmt::format("{} \"{}\" of its data, expected a number", entry.key(),
                                            value));
                }
            }
        }
        const std::filesystem::path name(location);
        bool isBelow = !location.empty() && name.is_relative();
        for (const auto& part : name) {
            isBelow = isBelow && part != "..";
        }
        if (!isBelow) {
            fail(place,
                 fmt::format("data in \"{}\", expected a file in the model's folder", location));
        }
        const auto file = std::filesystem::path(path_).parent_path() / name;
        std::ifstream stream(file, std::ios::binary);
        std::vector<std::byte> bytes(length == expected ? expected : 0);
        stream.seekg(static_cast<std::streamoff>(offset & INT64_MAX));
        if (!stream.read(reinterpret_cast<char*>(bytes.data()),
                         static_cast<std::streamsize>(bytes.size()))) {
            fail(place,
                 fmt::format("{}: {} bytes at {} cannot be read", file.string(), expected, offset));
        }
        return bytes;
    }

    TensorInfo info(const ::onnx::ValueInfoProto& proto) const {
        TensorInfo info;
        info.name = printable(proto.name());
        const ::onnx::TypeProto* type = &proto.type();
        if (type->has_optional_type()) {
            info.isOptional = true;
            type = &type->optional_type().elem_type();
        }
        if (type->has_sequence_type()) {
            info.isSequence = true;
            type = &type->sequence_type().elem_type();
        }
        if (!type->has_tensor_type()) {
            return info;
        }
        info.type = static_cast<ElementType>(type->tensor_type().elem_type());
        if (type->tensor_type().has_shape()) {
            std::vector<std::uint32_t> dims;
            for (const auto& dimension : type->tensor_type().shape().dim()) {
                const std::int64_t extent = dimension.has_dim_value() ? dimension.dim_value() : -1;
                const bool isKnown = extent >= 0 && extent < TensorInfo::kOpen;
                dims.push_back(isKnown ? static_cast<std::uint32_t>(extent) : TensorInfo::kOpen);
            }
            info.dims = std::move(dims);
        }
        return info;
    }

    Attribute attribute(const ::onnx::AttributeProto& proto, const std::string& place) {
        using Kind = Attribute::Kind;
        Attribute attribute;
        attribute.reference = proto.ref_attr_name();
        switch (typeOf(proto)) {
            case ::onnx::AttributeProto::FLOAT:
                attribute.kind = Kind::kFloat;
                attribute.number = proto.f();
                break;
            case ::onnx::AttributeProto::INT:
                attribute.kind = Kind::kInt;
                attribute.integer = proto.i();
                break;
            case ::onnx::AttributeProto::STRING:
                attribute.kind = Kind::kString;
                attribute.text = printable(proto.s());
                break;
            case ::onnx::AttributeProto::TENSOR:
                attribute.kind = Kind::kTensor;
                attribute.tensor = std::make_shared<Tensor>(tensor(proto.t(), place));
                break;
            case ::onnx::AttributeProto::GRAPH:
                attribute.kind = Kind::kGraph;
                attribute.graph = std::make_shared<Graph>(graph(proto.g()));
                break;
            case ::onnx::AttributeProto::FLOATS:
                attribute.kind = Kind::kFloats;
                attribute.numbers.assign(proto.floats().begin(), proto.floats().end());
                break;
            case ::onnx::AttributeProto::INTS:
                attribute.kind = Kind::kInts;
                attribute.integers.assign(proto.ints().begin(), proto.ints().end());
                break;
            case ::onnx::AttributeProto::STRINGS:
                attribute.kind = Kind::kStrings;
                attribute.texts.assign(proto.strings().begin(), proto.strings().end());
                break;
            default:
                break;
        }
        return attribute;
    }

    /// Files of the first versions do not name the type.
    static ::onnx::AttributeProto::AttributeType typeOf(const ::onnx::AttributeProto& proto) {
        using Proto = ::onnx::AttributeProto;
        if (proto.has_type() && proto.type() != Proto::UNDEFINED) {
            return proto.type();
        }
        return proto.has_f()              ? Proto::FLOAT
               : proto.has_i()            ? Proto::INT
               : proto.has_s()            ? Proto::STRING
               : proto.has_t()            ? Proto::TENSOR
               : proto.has_g()            ? Proto::GRAPH
               : proto.floats_size() > 0  ? Proto::FLOATS
               : proto.ints_size() > 0    ? Proto::INTS
               : proto.strings_size() > 0 ? Proto::STRINGS
                                          : Proto::UNDEFINED;
    }

    Node node(const ::onnx::NodeProto& proto, const std::string& place) {
        Node node{printable(proto.op_type()),
                  domainOf(proto.domain()),
                  printable(proto.name()),
                  {},
                  {},
                  {}};
        for (const std::string& input : proto.input()) {
            node.inputs.push_back(printable(input));
        }
        for (const std::string& output : proto.output()) {
            node.outputs.push_back(printable(output));
        }
        for (const auto& attribute : proto.attribute()) {
            node.attributes[printable(attribute.name())] =
                    this->attribute(attribute, fmt::format("{} ({}), attribute {}", place,
                                                           node.type, printable(attribute.name())));
        }
        return node;
    }

    Graph graph(const ::onnx::GraphProto& proto) {
        Graph graph;
        graph.name = printable(proto.name());
        if (proto.sparse_initializer_size() > 0) {
            fail("graph " + proto.name(), "a sparse tensor, expected dense ones");
        }
        for (const auto& initializer : proto.initializer()) {
            graph.constants[printable(initializer.name())] = std::make_shared<Tensor>(
                    tensor(initializer, fmt::format("tensor {}", printable(initializer.name()))));
        }
        for (int i = 0; i < proto.node_size(); ++i) {
            graph.nodes.push_back(node(proto.node(i), fmt::format("node {}", i)));
        }
        for (const auto& input : proto.input()) {
            // Up to IR version 3 constants are inputs too.
            if (!graph.constants.contains(printable(input.name()))) {
                graph.inputs.push_back(info(input));
            }
        }
        for (const auto& output : proto.output()) {
            graph.outputs.push_back(info(output));
        }
        for (const auto& value : proto.value_info()) {
            graph.infos[printable(value.name())] = info(value);
        }
        return graph;
    }

    Function function(const ::onnx::FunctionProto& proto) {
        Function function{proto.name(), domainOf(proto.domain()), {}, {}, {}, {}};
        function.inputs.assign(proto.input().begin(), proto.input().end());
        function.outputs.assign(proto.output().begin(), proto.output().end());
        for (int i = 0; i < proto.node_size(); ++i) {
            function.nodes.push_back(
                    node(proto.node(i), fmt::format("function {}, node {}", proto.name(), i)));
        }
        for (const auto& set : proto.opset_import()) {
            function.opsets[domainOf(set.domain())] = set.version();
        }
        return function;
    }

    const std::string& path_;
};

template <typename Message>
Message parseMessage(std::span<const std::byte> file, const std::string& path, const char* kind) {
    Message message;
    if (file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
        !message.ParseFromArray(file.data(), static_cast<int>(file.size()))) {
        throw InputError(fmt::format("{}: not {} of ONNX", path, kind));
    }
    return message;
}

}  // namespace

std::string nameOf(ElementType type) {
    constexpr const char* kNames[] = {"undefined",  "float",   "uint8",  "int8",   "uint16",
                                      "int16",      "int32",   "int64",  "string", "bool",
                                      "float16",    "double",  "uint32", "uint64", "complex64",
                                      "complex128", "bfloat16"};
    const auto index = static_cast<std::size_t>(type);
    return index < std::size(kNames) ? kNames[index] : fmt::format("type {}", index);
}

std::size_t elementBytes(ElementType type) {
    switch (type) {
        case ElementType::kUint8:
        case ElementType::kInt8:
        case ElementType::kBool:
            return 1;
        case ElementType::kUint16:
        case ElementType::kInt16:
        case ElementType::kFloat16:
        case ElementType::kBfloat16:
            return 2;
        case ElementType::kFloat:
        case ElementType::kInt32:
        case ElementType::kUint32:
            return 4;
        case ElementType::kDouble:
        case ElementType::kInt64:
        case ElementType::kUint64:
        case ElementType::kComplex64:
            return 8;
        case ElementType::kComplex128:
            return 16;
        default:
            return 0;
    }
}

Model parseModel(std::span<const std::byte> file, const std::string& path) {
    return FileReader(path).model(parseMessage<::onnx::ModelProto>(file, path, "a model"));
}

Model readModel(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, error.message()));
    }
    std::vector<std::byte> bytes(size);
    std::ifstream stream(path, std::ios::binary);
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return parseModel(bytes, path);
}

Tensor parseTensor(std::span<const std::byte> file, const std::string& path) {
    return FileReader(path).tensor(parseMessage<::onnx::TensorProto>(file, path, "a tensor"),
                                   "tensor");
}

std::vector<Tensor> parseSequence(std::span<const std::byte> file, const std::string& path) {
    const auto message = parseMessage<::onnx::SequenceProto>(file, path, "a sequence of tensors");
    FileReader reader(path);
    std::vector<Tensor> tensors;
    for (const auto& tensor : message.tensor_values()) {
        tensors.push_back(reader.tensor(tensor, "tensor"));
    }
    return tensors;
}

}  // namespace vnpu::sim::onnx
