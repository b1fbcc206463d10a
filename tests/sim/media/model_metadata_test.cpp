// SPDX-License-Identifier: Apache-2.0
#include "sim/media/model_metadata.h"

#include <doctest/doctest.h>
#include <metadata_generated.h>
#include <zlib.h>

#include "tests/sim/media/media_files.h"

namespace vnpu::test {
namespace {

namespace fb = flatbuffers;
namespace schema = sim::media::schema;
using sim::media::ModelMetadata;
using sim::media::parseModelMetadata;

/// A zip archive with one stored member, after `prefix` bytes of another file.
std::vector<std::byte> zipFile(std::size_t prefix, const std::string& name,
                               const std::string& content) {
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                           static_cast<uInt>(content.size()));
    const auto common = [&](FileBytes& file) {
        file.number(20, 2).number(0, 2).number(0, 2).number(0, 2).number(0x21, 2);
        file.number(crc, 4).number(content.size(), 4).number(content.size(), 4);
        file.number(name.size(), 2).number(0, 2);
    };
    FileBytes file;
    file.number(0x04034b50, 4);
    common(file);
    file.text(name).text(content);
    const std::size_t directory = file.bytes().size();
    file.number(0x02014b50, 4).number(20, 2);
    common(file);
    file.number(0, 2).number(0, 2).number(0, 2).number(0, 4).number(prefix, 4).text(name);
    const std::size_t end = file.bytes().size();
    file.number(0x06054b50, 4).number(0, 4).number(1, 2).number(1, 2);
    file.number(end - directory, 4).number(prefix + directory, 4).number(0, 2);
    return file.bytes();
}

/// The metadata of a classifier: mean 1 2 3, deviation 4, labels in labels.txt; input 1 is a sound
/// of 22050 Hz.
std::vector<std::uint8_t> metadataBuffer() {
    fb::FlatBufferBuilder builder;
    const std::vector<float> mean = {1, 2, 3}, deviation = {4};
    const auto options = schema::CreateNormalizationOptions(builder, builder.CreateVector(mean),
                                                            builder.CreateVector(deviation));
    const std::vector units = {schema::CreateProcessUnit(
            builder, schema::ProcessUnitOptions::NormalizationOptions, options.Union())};
    const auto unitList = builder.CreateVector(units);
    const auto audio = schema::CreateAudioProperties(builder, 22050);
    const auto content = schema::CreateContent(builder, schema::ContentProperties::AudioProperties,
                                               audio.Union());
    schema::TensorMetadataBuilder image(builder);
    image.add_process_units(unitList);
    const auto imageEnd = image.Finish();
    schema::TensorMetadataBuilder sound(builder);
    sound.add_content(content);
    const auto soundEnd = sound.Finish();
    const auto name = builder.CreateString("labels.txt");
    schema::AssociatedFileBuilder file(builder);
    file.add_name(name);
    file.add_type(schema::AssociatedFileType::TENSOR_AXIS_LABELS);
    const auto fileList = builder.CreateVector(std::vector{file.Finish()});
    schema::TensorMetadataBuilder classes(builder);
    classes.add_associated_files(fileList);
    const auto outputs = builder.CreateVector(std::vector{classes.Finish()});
    const auto inputs = builder.CreateVector(std::vector{imageEnd, soundEnd});
    schema::SubGraphMetadataBuilder graph(builder);
    graph.add_inputs(inputs);
    graph.add_outputs(outputs);
    const auto graphs = builder.CreateVector(std::vector{graph.Finish()});
    schema::ModelMetadataBuilder metadata(builder);
    metadata.add_graphs(graphs);
    builder.Finish(metadata.Finish(), "M001");
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

std::vector<std::byte> modelFile() {
    fb::FlatBufferBuilder builder;
    const std::vector buffers = {
            schema::CreateBuffer(builder),
            schema::CreateBuffer(builder, builder.CreateVector(metadataBuffer()))};
    const auto bufferList = builder.CreateVector(buffers);
    const std::vector entries = {
            schema::CreateEntry(builder, builder.CreateString("min_runtime_version"), 0),
            schema::CreateEntry(builder, builder.CreateString("TFLITE_METADATA"), 1)};
    const auto entryList = builder.CreateVector(entries);
    schema::ModelBuilder model(builder);
    model.add_buffers(bufferList);
    model.add_metadata(entryList);
    builder.Finish(model.Finish(), "TFL3");
    const auto* begin = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    std::vector<std::byte> file(begin, begin + builder.GetSize());
    const auto archive = zipFile(file.size(), "labels.txt", "cat\ndog\n");
    file.insert(file.end(), archive.begin(), archive.end());
    return file;
}

}  // namespace

TEST_SUITE_BEGIN("sim/media/model_metadata");

TEST_CASE("normalization, sample rate, and labels from the appended archive") {
    const ModelMetadata metadata = parseModelMetadata(modelFile());
    REQUIRE(metadata.inputs.size() == 2);
    CHECK(metadata.inputs[0].normalization.mean == std::vector<float>{1, 2, 3});
    CHECK(metadata.inputs[0].normalization.deviation == std::vector<float>{4});
    CHECK_FALSE(metadata.inputs[0].sampleRate.has_value());
    CHECK(metadata.inputs[1].sampleRate == 22050U);
    REQUIRE(metadata.outputs.size() == 1);
    CHECK(metadata.outputs[0] == sim::media::Labels{"cat", "dog"});
}

TEST_CASE("a file without metadata, and a damaged one, have none [E-5]") {
    CHECK(parseModelMetadata({}).inputs.empty());
    CHECK(parseModelMetadata(FileBytes().text("no model at all").bytes()).inputs.empty());
    auto file = modelFile();
    file.erase(file.end() - 30, file.end());  // damages the archive's end record
    const ModelMetadata metadata = parseModelMetadata(file);
    CHECK(metadata.inputs.size() == 2);
    REQUIRE(metadata.outputs.size() == 1);
    CHECK(metadata.outputs[0].empty());
}

TEST_CASE("only .tflite files are looked at") {
    CHECK(sim::media::readModelMetadata("/nowhere/model.onnx").inputs.empty());
}

TEST_SUITE_END();

}  // namespace vnpu::test
