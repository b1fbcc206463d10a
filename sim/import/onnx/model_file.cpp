// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/model_file.h"

#include <fmt/format.h>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

#include "sim/base/error.h"
#include "sim/import/onnx/tensor_reader.h"

namespace vnpu::sim::onnx {

namespace {

/// Converts the messages of a file to the structures of model.h; `place` of a message is where in
/// the file a mistake is.
class ModelReader {
  public:
    explicit ModelReader(const std::string& path) : tensors_(path) {}

    Model model(const ::onnx::ModelProto& proto) {
        Model model;
        for (const auto& set : proto.opset_import()) {
            model.opsets[domainOf(set.domain())] = set.version();
        }
        if (!proto.has_graph()) {
            tensors_.fail("model", "there is no graph");
        }
        model.graph = graph(proto.graph());
        for (const auto& function : proto.functions()) {
            model.functions.push_back(this->function(function));
        }
        return model;
    }

  private:
    /// ONNX's own domain has two names.
    static std::string domainOf(const std::string& domain) {
        return domain == "ai.onnx" ? "" : printable(domain);
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
                attribute.tensor = std::make_shared<Tensor>(tensors_.tensor(proto.t(), place));
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
            tensors_.fail("graph " + proto.name(), "a sparse tensor, expected dense ones");
        }
        for (const auto& initializer : proto.initializer()) {
            graph.constants[printable(initializer.name())] =
                    std::make_shared<Tensor>(tensors_.tensor(
                            initializer, fmt::format("tensor {}", printable(initializer.name()))));
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
        Function function{printable(proto.name()), domainOf(proto.domain()), {}, {}, {}, {}};
        for (const std::string& input : proto.input()) {
            function.inputs.push_back(printable(input));
        }
        for (const std::string& output : proto.output()) {
            function.outputs.push_back(printable(output));
        }
        for (int i = 0; i < proto.node_size(); ++i) {
            function.nodes.push_back(
                    node(proto.node(i), fmt::format("function {}, node {}", function.name, i)));
        }
        for (const auto& set : proto.opset_import()) {
            function.opsets[domainOf(set.domain())] = set.version();
        }
        return function;
    }

    TensorReader tensors_;
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

Model parseModel(std::span<const std::byte> file, const std::string& path) {
    return ModelReader(path).model(parseMessage<::onnx::ModelProto>(file, path, "a model"));
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
    return TensorReader(path).tensor(parseMessage<::onnx::TensorProto>(file, path, "a tensor"),
                                     "tensor");
}

std::vector<Tensor> parseSequence(std::span<const std::byte> file, const std::string& path) {
    const auto message = parseMessage<::onnx::SequenceProto>(file, path, "a sequence of tensors");
    const TensorReader reader(path);
    std::vector<Tensor> tensors;
    for (const auto& tensor : message.tensor_values()) {
        tensors.push_back(reader.tensor(tensor, "tensor"));
    }
    return tensors;
}

}  // namespace vnpu::sim::onnx
