// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/vector_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

using VectorJson = nlohmann::json;

/// A value of the file with its place for messages.
class Node {
  public:
    Node(const VectorJson& json, const std::string& file, std::string place)
        : json_(&json), file_(&file), place_(std::move(place)) {}

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}: {}: {}", *file_, place_.empty() ? "top" : place_, what));
    }

    Node at(const char* key) const {
        expect(json_->is_object(), "a map");
        const auto found = json_->find(key);
        if (found == json_->end()) {
            fail(fmt::format("has no key \"{}\"", key));
        }
        return {*found, *file_, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
    }

    std::vector<Node> elements() const {
        expect(json_->is_array(), "an array");
        std::vector<Node> nodes;
        for (std::size_t i = 0; i < json_->size(); ++i) {
            nodes.emplace_back((*json_)[i], *file_, fmt::format("{}[{}]", place_, i));
        }
        return nodes;
    }

    bool isNull() const { return json_->is_null(); }

    std::string text() const {
        expect(json_->is_string(), "a text");
        return json_->get<std::string>();
    }
    bool boolean() const {
        expect(json_->is_boolean(), "true or false");
        return json_->get<bool>();
    }
    double number() const {
        expect(json_->is_number(), "a number");
        return json_->get<double>();
    }
    template <typename T>
    T integer() const {
        expect(json_->is_number_integer(), "a whole number");
        const bool isTooLarge = json_->is_number_unsigned() &&
                                json_->get<std::uint64_t>() > std::numeric_limits<T>::max();
        const auto value = isTooLarge ? 0 : json_->get<std::int64_t>();
        if (isTooLarge || value < std::int64_t{std::numeric_limits<T>::min()} ||
            value > std::int64_t{std::numeric_limits<T>::max()}) {
            fail(fmt::format("is {}, expected {} to {}", json_->dump(),
                             std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        }
        return static_cast<T>(value);
    }
    template <typename T>
    std::vector<T> integers() const {
        std::vector<T> values;
        for (const Node& element : elements()) {
            values.push_back(element.integer<T>());
        }
        return values;
    }
    std::vector<std::byte> bytes() const {
        expect(json_->is_binary(), "a byte string");
        const auto view = std::as_bytes(std::span(json_->get_binary()));
        return {view.begin(), view.end()};
    }
    template <typename E>
    E named(std::optional<E> (*lookup)(std::string_view)) const {
        const std::string name = text();
        const std::optional<E> value = lookup(name);
        if (!value) {
            fail(fmt::format("\"{}\" is not a name of NNAPI 1.3", name));
        }
        return *value;
    }

  private:
    void expect(bool isType, const char* type) const {
        if (!isType) {
            fail(fmt::format("is {}, expected {}", json_->type_name(), type));
        }
    }

    const VectorJson* json_;
    const std::string* file_;
    std::string place_;
};

/// Limits the nesting, because the parser recurses once per level of the file. All other mistakes
/// are left to the parser.
void checkNesting(const std::string& path, std::span<const std::byte> bytes) {
    constexpr std::size_t kMostLevels = 16;  // chosen: twice the levels of the schema
    std::vector<std::uint64_t> open;         // items still to come, per level
    for (std::size_t at = 0; at < bytes.size();) {
        const auto head = static_cast<unsigned>(bytes[at++]);
        const unsigned major = head >> 5U, info = head & 31U;
        if (major == 6 || (info > 27 && major != 7)) {
            throw InputError(
                    fmt::format("{}: byte {} is {:#04x}, expected no tags and definite lengths",
                                path, at - 1, head));
        }
        std::uint64_t value = info;
        if (info >= 24 && info <= 27) {
            const std::size_t size = std::size_t{1} << (info - 24);
            if (bytes.size() - at < size) {
                return;
            }
            value = 0;
            for (std::size_t i = 0; i < size; ++i) {
                value = value << 8U | static_cast<std::uint64_t>(bytes[at++]);
            }
        }
        const std::size_t left = bytes.size() - at;
        if (major >= 2 && major <= 5 && value > left) {
            return;
        }
        if (major == 2 || major == 3) {
            at += value;
        } else if ((major == 4 || major == 5) && value != 0) {
            if (open.size() == kMostLevels) {
                throw InputError(fmt::format("{}: byte {}: more than {} levels of nesting", path,
                                             at - 1, kMostLevels));
            }
            open.push_back(major == 4 ? value : 2 * value);
            continue;
        }
        while (!open.empty() && --open.back() == 0) {
            open.pop_back();
        }
    }
}

void checkData(const Node& node, const ExampleOperand& operand) {
    const bool needsData =
            isConstant(operand.lifetime) || operand.lifetime == nn::OperandLifeTime::SUBGRAPH;
    if (!operand.data) {
        if (needsData) {
            node.fail("data is null, expected the value of a constant");
        }
        return;
    }
    const std::uint64_t expected = operand.lifetime == nn::OperandLifeTime::SUBGRAPH
                                           ? sizeof(std::uint32_t)
                                           : operandBytes(operand.type, operand.dimensions);
    if (operand.data->size() != expected) {
        node.fail(fmt::format("data has {} bytes, expected {} for {} of {}", operand.data->size(),
                              expected, nameOf(operand.type),
                              describeDimensions(operand.dimensions)));
    }
}

ExampleOperand readOperand(const Node& node) {
    ExampleOperand operand;
    operand.type = node.at("type").named(operandTypeOf);
    operand.dimensions = node.at("dims").integers<std::uint32_t>();
    operand.consumers = node.at("consumers").integer<std::uint32_t>();
    operand.scale = static_cast<float>(node.at("scale").number());
    operand.zeroPoint = node.at("zero_point").integer<std::int32_t>();
    operand.lifetime = node.at("lifetime").named(operandLifeTimeOf);
    operand.isIgnored = node.at("ignored").boolean();
    const Node quantization = node.at("channel_quant");
    operand.isPerChannel = !quantization.isNull();
    if (operand.isPerChannel) {
        for (const Node& scale : quantization.at("scales").elements()) {
            operand.channelScales.push_back(static_cast<float>(scale.number()));
        }
        operand.channelDimension = quantization.at("dim").integer<std::uint32_t>();
    }
    if (const Node data = node.at("data"); !data.isNull()) {
        operand.data = data.bytes();
    }
    checkData(node, operand);
    return operand;
}

std::vector<std::uint32_t> readIndexes(const Node& node, std::size_t count) {
    auto indexes = node.integers<std::uint32_t>();
    for (const std::uint32_t index : indexes) {
        if (index >= count) {
            node.fail(fmt::format("holds operand {}, the subgraph has {}", index, count));
        }
    }
    return indexes;
}

ExampleSubgraph readSubgraph(const Node& node) {
    ExampleSubgraph graph;
    for (const Node& operand : node.at("operands").elements()) {
        graph.operands.push_back(readOperand(operand));
    }
    const std::size_t count = graph.operands.size();
    for (const Node& operation : node.at("operations").elements()) {
        graph.operations.push_back({operation.at("type").named(operationTypeOf),
                                    readIndexes(operation.at("inputs"), count),
                                    readIndexes(operation.at("outputs"), count)});
    }
    graph.inputs = readIndexes(node.at("inputs"), count);
    graph.outputs = readIndexes(node.at("outputs"), count);
    return graph;
}

std::optional<driver::HalVersion> halVersionOf(std::string_view name) {
    constexpr std::string_view kNames[] = {"V1_0", "V1_1", "V1_2", "V1_3"};
    const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
    return found == std::end(kNames)
                   ? std::nullopt
                   : std::optional(static_cast<driver::HalVersion>(found - std::begin(kNames)));
}

Example readExample(const Node& node, driver::HalVersion suite) {
    Example example;
    example.suite = suite;
    if (const Node lowest = node.at("min_hal"); lowest.text() != "UNKNOWN") {
        example.lowestHal = lowest.named(halVersionOf);
    }
    example.name = node.at("name").text();
    example.expectsFailure = node.at("expect_failure").boolean();
    example.isRelaxed = node.at("is_relaxed").boolean();
    example.multinomialTolerance = node.at("multinomial_tolerance").number();
    example.main = readSubgraph(node.at("main"));
    for (const Node& graph : node.at("referenced").elements()) {
        example.referenced.push_back(readSubgraph(graph));
    }
    for (const std::uint32_t output : example.main.outputs) {
        if (!example.main.operands[output].data) {
            node.fail(fmt::format("{}: output operand {} has no expected result", example.name,
                                  output));
        }
    }
    return example;
}

}  // namespace

VectorFile parseVectorFile(const std::string& path, std::span<const std::byte> bytes) {
    checkNesting(path, bytes);
    VectorJson json;
    try {
        const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
        json = VectorJson::from_cbor(first, first + bytes.size());
    } catch (const VectorJson::exception& error) {
        throw InputError(fmt::format("{}: is not a CBOR item: {}", path, error.what()));
    }
    const Node top(json, path, "");
    VectorFile file;
    file.spec = top.at("spec").text();
    file.hal = top.at("hal").named(halVersionOf);
    for (const Node& example : top.at("models").elements()) {
        file.examples.push_back(readExample(example, file.hal));
    }
    return file;
}

VectorFile readVectorFile(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, error.message()));
    }
    std::vector<std::byte> bytes(size);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return parseVectorFile(path, bytes);
}

}  // namespace vnpu::sim
