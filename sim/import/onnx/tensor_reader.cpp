// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/tensor_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/base/error.h"

namespace vnpu::sim::onnx {

namespace {

constexpr std::uint64_t kMostTensorBytes = 1ULL << 30;  // chosen: as for tensors of the import

template <typename T, typename Values>
std::vector<std::byte> packed(const Values& values) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(values.size()) * sizeof(T));
    for (int i = 0; i < values.size(); ++i) {
        const T value = static_cast<T>(values.Get(i));
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

/// Elements in the list of their type; small integers and 16-bit reals are in that of int32.
std::vector<std::byte> listedData(const ::onnx::TensorProto& proto, ElementType type) {
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

}  // namespace

std::string printable(std::string text) {
    for (char& c : text) {
        c = c >= 0 && c < ' ' ? '_' : c;
    }
    return text;
}

void TensorReader::fail(const std::string& place, const std::string& what) const {
    throw InputError(fmt::format("{}: {}: {}", path_, place, what));
}

Tensor TensorReader::tensor(const ::onnx::TensorProto& proto, const std::string& place) const {
    Tensor tensor;
    tensor.name = printable(proto.name());
    tensor.type = static_cast<ElementType>(proto.data_type());
    std::uint64_t count = 1;
    for (const std::int64_t extent : proto.dims()) {
        if (extent < 0 ||
            __builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count) ||
            count > kMostTensorBytes) {
            fail(place,
                 fmt::format("a dimension of {}, expected 0 or more and at most {} bytes in all",
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

/// A part of another file in the model's folder.
std::vector<std::byte> TensorReader::externalData(const ::onnx::TensorProto& proto,
                                                  std::uint64_t expected,
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
                fail(place,
                     fmt::format("{} \"{}\" of its data, expected a number", entry.key(), value));
            }
        }
    }
    const std::filesystem::path name(location);
    bool isBelow = !location.empty() && name.is_relative();
    for (const auto& part : name) {
        isBelow = isBelow && part != "..";
    }
    if (!isBelow) {
        fail(place, fmt::format("data in \"{}\", expected a file in the model's folder", location));
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

}  // namespace vnpu::sim::onnx
