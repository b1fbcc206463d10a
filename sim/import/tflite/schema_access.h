// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tflite_generated.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace vnpu::sim::tflite {

/// The length of a vector of the file, which may be missing.
template <typename T>
std::size_t sizeOf(const flatbuffers::Vector<T>* vector) {
    return vector == nullptr ? 0 : vector->size();
}

/// The numbers of a vector of the file, which may be missing. They may lie at any address, since
/// the verifier checks the alignment of the vector's length only.
template <typename T>
std::vector<T> copyOf(const flatbuffers::Vector<T>* vector) {
    std::vector<T> numbers(sizeOf(vector));
    if (!numbers.empty()) {
        std::memcpy(numbers.data(), vector->Data(), numbers.size() * sizeof(T));
    }
    return numbers;
}

/// A name of the file in one line of text.
inline std::string printable(const flatbuffers::String* text) {
    std::string name = text == nullptr ? "" : text->str();
    std::replace_if(
            name.begin(), name.end(),
            [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return name;
}

}  // namespace vnpu::sim::tflite
