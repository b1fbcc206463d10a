// SPDX-License-Identifier: Apache-2.0
#include "sim/media/model_metadata.h"

#include <metadata_generated.h>
#include <zip.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

namespace vnpu::sim::media {

namespace {

struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

/// The zip archive at the end of a model's file.
class Attachments {
  public:
    explicit Attachments(std::span<const std::byte> file) {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* source = zip_source_buffer_create(file.data(), file.size(), 0, &error);
        if (source != nullptr) {
            archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
            if (!archive_) {
                zip_source_free(source);  // an opened archive owns it
            }
        }
        zip_error_fini(&error);
    }

    std::optional<std::string> read(const char* name) const {
        constexpr std::size_t kMostBytes = 1U << 24;  // chosen: far beyond any list of labels
        if (!archive_) {
            return std::nullopt;
        }
        const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen(archive_.get(), name, 0));
        std::string text;
        char block[4096];
        while (member) {
            const zip_int64_t count = zip_fread(member.get(), block, sizeof(block));
            if (count < 0 || text.size() > kMostBytes) {
                return std::nullopt;
            }
            if (count == 0) {
                return text;
            }
            text.append(block, static_cast<std::size_t>(count));
        }
        return std::nullopt;
    }

  private:
    std::unique_ptr<zip_t, DiscardArchive> archive_;
};

std::vector<float> numbersOf(const flatbuffers::Vector<float>* numbers) {
    return numbers == nullptr ? std::vector<float>()
                              : std::vector<float>(numbers->begin(), numbers->end());
}

/// A vector of tables or strings, empty where the file has none.
template <typename T>
std::vector<const T*> itemsOf(const flatbuffers::Vector<flatbuffers::Offset<T>>* items) {
    std::vector<const T*> result;
    for (flatbuffers::uoffset_t i = 0; items != nullptr && i < items->size(); ++i) {
        result.push_back(items->Get(i));
    }
    return result;
}

InputFacts factsOf(const schema::TensorMetadata& tensor) {
    InputFacts facts;
    for (const schema::ProcessUnit* unit : itemsOf(tensor.process_units())) {
        if (const auto* options = unit->options_as_NormalizationOptions()) {
            facts.normalization = {numbersOf(options->mean()), numbersOf(options->std())};
        }
    }
    if (tensor.content() != nullptr) {
        if (const auto* audio = tensor.content()->properties_as_AudioProperties()) {
            facts.sampleRate = audio->sample_rate();
        }
    }
    return facts;
}

/// The first list of labels; English or without a language where there are several.
Labels labelsOf(const schema::TensorMetadata& tensor, const Attachments& attachments) {
    Labels labels;
    for (const schema::AssociatedFile* file : itemsOf(tensor.associated_files())) {
        const bool isLabels = file->type() == schema::AssociatedFileType::TENSOR_AXIS_LABELS ||
                              file->type() == schema::AssociatedFileType::TENSOR_VALUE_LABELS;
        const bool isEnglish = file->locale() == nullptr || file->locale()->size() == 0 ||
                               file->locale()->str().starts_with("en");
        if (!isLabels || file->name() == nullptr || (!labels.empty() && !isEnglish)) {
            continue;
        }
        if (const auto text = attachments.read(file->name()->c_str())) {
            labels = parseLabels(*text);
            if (isEnglish) {
                break;
            }
        }
    }
    return labels;
}

/// The verified root table of a buffer of the model's file, or null.
template <typename Table>
const Table* verifiedRoot(const std::uint8_t* data, std::size_t size) {
    flatbuffers::Verifier verifier(data, size);
    return verifier.VerifyBuffer<Table>(nullptr) ? flatbuffers::GetRoot<Table>(data) : nullptr;
}

const flatbuffers::Vector<std::uint8_t>* metadataBuffer(const schema::Model& model) {
    for (const schema::Entry* entry : itemsOf(model.metadata())) {
        if (entry->name() != nullptr && entry->name()->str() == "TFLITE_METADATA" &&
            model.buffers() != nullptr && entry->buffer() < model.buffers()->size()) {
            return model.buffers()->Get(entry->buffer())->data();
        }
    }
    return nullptr;
}

}  // namespace

ModelMetadata parseModelMetadata(std::span<const std::byte> file) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(file.data());
    constexpr std::size_t kLeastBytes = 8;  // an offset and the identifier
    if (file.size() < kLeastBytes || file.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
        return {};
    }
    const auto* model = verifiedRoot<schema::Model>(bytes, file.size());
    const auto* buffer = model == nullptr ? nullptr : metadataBuffer(*model);
    if (buffer == nullptr || buffer->size() < kLeastBytes) {
        return {};
    }
    // A buffer inside a damaged file may be misaligned, which the verifier refuses only for its
    // root.
    const std::vector<std::uint8_t> copy(buffer->begin(), buffer->end());
    const auto* metadata = verifiedRoot<schema::ModelMetadata>(copy.data(), copy.size());
    if (metadata == nullptr || itemsOf(metadata->graphs()).empty()) {
        return {};
    }
    const schema::SubGraphMetadata& graph = *metadata->graphs()->Get(0);
    const Attachments attachments(file);
    ModelMetadata result;
    for (const schema::TensorMetadata* tensor : itemsOf(graph.inputs())) {
        result.inputs.push_back(factsOf(*tensor));
    }
    for (const schema::TensorMetadata* tensor : itemsOf(graph.outputs())) {
        result.outputs.push_back(labelsOf(*tensor, attachments));
    }
    return result;
}

ModelMetadata readModelMetadata(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !path.ends_with(".tflite")) {
        return {};
    }
    std::vector<std::byte> bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    return file ? parseModelMetadata(bytes) : ModelMetadata{};
}

}  // namespace vnpu::sim::media
