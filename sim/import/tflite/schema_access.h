// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tflite_generated.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace vnpu::sim::tflite {

/// The length of a vector of the file, which may be missing.
template <typename T>
std::size_t sizeOf(const flatbuffers::Vector<T>* vector) {
    return vector == nullptr ? 0 : vector->size();
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
