// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vnpu::sim::media {

/// An array of a .npy file in C order. Its values are those of the file's bytes, little endian.
struct NumpyArray {
    char kind = 0;  // 'f' floating point, 'i' signed, 'u' unsigned, 'b' Boolean
    std::size_t elementBytes = 0;
    std::vector<std::uint64_t> shape;
    std::span<const std::byte> data;  // of the file

    std::size_t size() const { return data.size() / elementBytes; }
    double valueAt(std::size_t index) const;
};

/// Reads format versions 1.0, 2.0 and 3.0. The header must have the form that NumPy writes: exactly
/// the keys descr, fortran_order and shape, C order, little endian, one number type, and exactly
/// the bytes of the array after it. The array refers to `file`. `name` is for messages. Throws
/// InputError.
NumpyArray parseNumpy(std::span<const std::byte> file, const std::string& name);

}  // namespace vnpu::sim::media
