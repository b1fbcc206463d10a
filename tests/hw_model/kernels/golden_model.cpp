// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/kernels/golden_model.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "tests/support/source_folder.h"

namespace vnpu::test {
namespace {

// The part of the flatbuffer format that constants need: tables with an offset per field, vectors
// with a length.
class Table {
  public:
    Table(std::span<const std::byte> file, std::size_t offset) : file_(file), offset_(offset) {}

    static Table root(std::span<const std::byte> file) {
        return {file, read<std::uint32_t>(file, 0)};
    }

    bool has(unsigned field) const { return fieldOffset(field) != 0; }
    template <typename T>
    T scalar(unsigned field, T absent) const {
        const std::size_t at = fieldOffset(field);
        return at == 0 ? absent : read<T>(file_, at);
    }
    Table table(unsigned field) const { return {file_, follow(fieldOffset(field))}; }
    std::size_t length(unsigned field) const {
        return has(field) ? read<std::uint32_t>(file_, follow(fieldOffset(field))) : 0;
    }
    Table tableAt(unsigned field, std::size_t index) const {
        return {file_, follow(follow(fieldOffset(field)) + 4 + 4 * index)};
    }
    template <typename T>
    std::vector<T> vector(unsigned field) const {
        std::vector<T> values;
        for (std::size_t i = 0; i < length(field); ++i) {
            values.push_back(read<T>(file_, follow(fieldOffset(field)) + 4 + sizeof(T) * i));
        }
        return values;
    }
    std::span<const std::byte> bytes(unsigned field) const {
        return has(field) ? file_.subspan(follow(fieldOffset(field)) + 4, length(field))
                          : std::span<const std::byte>();
    }

  private:
    template <typename T>
    static T read(std::span<const std::byte> file, std::size_t offset) {
        T value;
        std::memcpy(&value, file.subspan(offset, sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::size_t follow(std::size_t at) const { return at + read<std::uint32_t>(file_, at); }
    std::size_t fieldOffset(unsigned field) const {
        const std::size_t entries = offset_ - static_cast<std::size_t>(static_cast<std::ptrdiff_t>(
                                                      read<std::int32_t>(file_, offset_)));
        const std::size_t entry = 4 + 2 * field;
        if (entry >= read<std::uint16_t>(file_, entries)) {
            return 0;
        }
        const std::size_t relative = read<std::uint16_t>(file_, entries + entry);
        return relative == 0 ? 0 : offset_ + relative;
    }

    std::span<const std::byte> file_;
    std::size_t offset_;
};

// Field numbers. source: TensorFlow Lite schema, version 3.
namespace model {
constexpr unsigned kSubgraphs = 2;
constexpr unsigned kBuffers = 4;
}  // namespace model
namespace subgraph {
constexpr unsigned kTensors = 0;
}
namespace tensor {
constexpr unsigned kShape = 0;
constexpr unsigned kBuffer = 2;
constexpr unsigned kQuantization = 4;
}  // namespace tensor
namespace quantization {
constexpr unsigned kScale = 2;
constexpr unsigned kZeroPoint = 3;
}  // namespace quantization
namespace buffer {
constexpr unsigned kData = 0;
}

std::vector<std::byte> readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("cannot open " + path.string());
    }
    std::vector<std::byte> bytes(std::filesystem::file_size(path));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

std::filesystem::path findTflite(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".tflite") {
            return entry.path();
        }
    }
    throw std::runtime_error("no .tflite file in " + folder.string());
}

}  // namespace

std::filesystem::path GoldenModel::findModels() {
    const std::filesystem::path folder = sharedFolder() / "models";
    return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

GoldenModel::GoldenModel(const std::filesystem::path& folder)
    : folder_(folder), file_(readFile(findTflite(folder))) {
    std::ifstream(folder / "graph.json") >> graph_;
    readTensors();
    findActivations();
}

void GoldenModel::readTensors() {
    const Table root = Table::root(file_);
    const Table graph = root.tableAt(model::kSubgraphs, 0);
    for (std::size_t i = 0; i < graph.length(subgraph::kTensors); ++i) {
        const Table table = graph.tableAt(subgraph::kTensors, i);
        GoldenTensor entry;
        entry.type = graph_.at("tensors").at(i).at("type").get<std::string>();
        entry.shape = table.vector<std::uint32_t>(tensor::kShape);
        if (table.has(tensor::kQuantization)) {
            const Table quantized = table.table(tensor::kQuantization);
            entry.scales = quantized.vector<float>(quantization::kScale);
            entry.zeroPoints = quantized.vector<std::int64_t>(quantization::kZeroPoint);
        }
        const auto bufferIndex = table.scalar<std::uint32_t>(tensor::kBuffer, 0);
        entry.constant = root.tableAt(model::kBuffers, bufferIndex).bytes(buffer::kData);
        tensors_.push_back(std::move(entry));
    }
}

void GoldenModel::findActivations() {
    activationFiles_.resize(tensors_.size());
    nlohmann::json manifest;
    std::ifstream(folder_ / "golden" / "manifest.json") >> manifest;
    const nlohmann::json& layers = manifest.at("layers");
    for (const auto& entry : layers.at("tensors")) {
        activationFiles_.at(entry.at("tensor").get<std::size_t>()) =
                entry.at("file").get<std::string>();
    }
    for (const auto& entry : manifest.at("cases")) {
        if (entry.at("name") == layers.at("case")) {
            for (std::size_t i = 0; i < graph_.at("inputs").size(); ++i) {
                activationFiles_.at(graph_.at("inputs").at(i).get<std::size_t>()) =
                        entry.at("inputs").at(i).get<std::string>();
            }
        }
    }
}

std::vector<std::byte> GoldenModel::values(std::size_t index) const {
    const GoldenTensor& t = tensor(index);
    if (!t.constant.empty()) {
        return {t.constant.begin(), t.constant.end()};
    }
    return readFile(folder_ / "golden" / activationFiles_.at(index));
}

}  // namespace vnpu::test
