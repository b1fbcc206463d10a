// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "sim/base/error.h"
#include "sim/import/tflite/schema_access.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::uint32_t kFileVersion = 3;  // source: TensorFlow Lite schema, version 3

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

}  // namespace

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
    constexpr flatbuffers::uoffset_t kMaxDepth = 64;           // chosen: the format has 8 levels
    constexpr flatbuffers::uoffset_t kMaxTables = 10'000'000;  // chosen: large models have 10^5
    flatbuffers::Verifier verifier(data, bytes_.size(), kMaxDepth, kMaxTables);
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

std::size_t File::graphCount() const {
    return sizeOf(model_->subgraphs());
}

const schema::SubGraph& File::subgraph(std::size_t index) const {
    if (index >= graphCount()) {
        fail("subgraphs",
             fmt::format("there is no subgraph {}, the file has {}", index, graphCount()));
    }
    return *model_->subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

std::vector<Signature> File::signatures() const {
    std::vector<Signature> signatures;
    for (std::size_t i = 0; i < sizeOf(model_->signature_defs()); ++i) {
        const auto* table = model_->signature_defs()->Get(static_cast<flatbuffers::uoffset_t>(i));
        Signature signature{printable(table->signature_key()), table->subgraph_index(), {}, {}};
        const std::string place = fmt::format("signature {}", signature.key);
        const std::size_t tensors = sizeOf(subgraph(signature.graph).tensors());
        const auto read = [&](const auto* maps, std::vector<NamedTensor>& named) {
            for (std::size_t k = 0; k < sizeOf(maps); ++k) {
                const auto* map = maps->Get(static_cast<flatbuffers::uoffset_t>(k));
                if (map->tensor_index() >= tensors) {
                    fail(place, fmt::format("names tensor {}, expected less than {}",
                                            map->tensor_index(), tensors));
                }
                named.push_back(
                        {printable(map->name()), static_cast<std::int32_t>(map->tensor_index())});
            }
        };
        read(table->inputs(), signature.inputs);
        read(table->outputs(), signature.outputs);
        signatures.push_back(std::move(signature));
    }
    return signatures;
}

std::span<const std::byte> File::buffer(std::uint32_t index, const std::string& place) const {
    if (index == 0) {
        return {};  // by convention the empty one
    }
    const auto* buffers = model_->buffers();
    if (index >= sizeOf(buffers)) {
        fail(place, fmt::format("buffer is {}, the file has {}", index, sizeOf(buffers)));
    }
    const schema::Buffer* buffer = buffers->Get(index);
    if (buffer->offset() > 1) {  // behind the flatbuffer
        if (buffer->offset() > bytes_.size() || buffer->size() > bytes_.size() - buffer->offset()) {
            fail(place, fmt::format("buffer {} lies at byte {} with {} bytes, the file has {}",
                                    index, buffer->offset(), buffer->size(), bytes_.size()));
        }
        return std::span(bytes_).subspan(buffer->offset(), buffer->size());
    }
    return buffer->data() == nullptr
                   ? std::span<const std::byte>()
                   : std::as_bytes(std::span(buffer->data()->data(), buffer->data()->size()));
}

}  // namespace vnpu::sim::tflite
