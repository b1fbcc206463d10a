// SPDX-License-Identifier: Apache-2.0
#include "sim/media/numpy_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "sim/base/error.h"
#include "sim/media/tensor_values.h"

namespace vnpu::sim::media {

namespace {

constexpr std::string_view kNumpyMagic = "\x93NUMPY";

/// Reads the dictionary of the header: {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }.
class NumpyHeader {
  public:
    NumpyHeader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    void read(NumpyArray& array) {
        take("{");
        for (int keys = 0; !tryTake("}"); ++keys) {
            const std::string_view key = readString();
            take(":");
            if (key == "descr" && array.kind == 0) {
                readType(array);
            } else if (key == "fortran_order" && !hasOrder_) {
                hasOrder_ = true;
                if (tryTake("True")) {
                    fail("the array is in Fortran order, expected C order");
                }
                take("False");
            } else if (key == "shape" && !hasShape_) {
                hasShape_ = true;
                readShape(array);
            } else {
                fail(fmt::format(
                        "the header's key '{}', expected descr, fortran_order and shape, "
                        "once each",
                        key));
            }
            if (!tryTake(",")) {
                take("}");
                break;
            }
        }
        if (array.kind == 0 || !hasOrder_ || !hasShape_) {
            fail("the header lacks one of descr, fortran_order and shape");
        }
        skipBlanks();
        if (at_ != text_.size()) {
            fail("there is text after the header's dictionary");
        }
    }

    [[noreturn]] void fail(std::string_view what) const {
        throw InputError(fmt::format("{}: NPY: {}", name_, what));
    }

  private:
    void skipBlanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            ++at_;
        }
    }
    bool tryTake(std::string_view token) {
        skipBlanks();
        if (text_.substr(at_, token.size()) != token) {
            return false;
        }
        at_ += token.size();
        return true;
    }
    void take(std::string_view token) {
        if (!tryTake(token)) {
            fail(fmt::format("byte {} of the header, expected \"{}\"", at_, token));
        }
    }
    std::string_view readString() {
        take("'");
        const std::size_t end = std::min(text_.find('\'', at_), text_.size());
        const std::string_view value = text_.substr(at_, end - at_);
        at_ = end;
        take("'");
        // The text may go into a message, which is one line.
        if (std::any_of(value.begin(), value.end(), [](char c) { return c < ' ' || c > '~'; })) {
            fail("text in the header that is not printable");
        }
        return value;
    }
    void readType(NumpyArray& array) {
        constexpr std::string_view kTypes[] = {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4",
                                               "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"};
        const std::string_view type = readString();
        for (const std::string_view known : kTypes) {
            if (type == known) {
                array.kind = type[1];
                array.elementBytes = static_cast<std::size_t>(type[2] - '0');
                return;
            }
        }
        fail(fmt::format("the type '{}', expected little-endian numbers: {}", type,
                         fmt::join(kTypes, ", ")));
    }
    void readShape(NumpyArray& array) {
        constexpr std::size_t kMostDimensions = 32;  // source: NumPy, NPY_MAXDIMS
        take("(");
        while (!tryTake(")")) {
            skipBlanks();
            std::uint64_t extent = 0;
            const auto [end, error] =
                    std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
            if (error != std::errc() || array.shape.size() == kMostDimensions) {
                fail("the shape, expected up to 32 numbers");
            }
            at_ = static_cast<std::size_t>(end - text_.data());
            array.shape.push_back(extent);
            if (!tryTake(",")) {
                take(")");
                break;
            }
        }
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    bool hasOrder_ = false, hasShape_ = false;
};

template <typename T>
double loadAs(const std::byte* from) {
    T value{};
    std::memcpy(&value, from, sizeof(T));
    return static_cast<double>(value);
}

}  // namespace

double NumpyArray::valueAt(std::size_t index) const {
    const std::byte* from = data.data() + index * elementBytes;
    switch (kind) {
        case 'f':
            if (elementBytes == 2) {
                return halfToDouble(static_cast<std::uint16_t>(loadAs<std::uint16_t>(from)));
            }
            return elementBytes == 4 ? loadAs<float>(from) : loadAs<double>(from);
        case 'i':
            return elementBytes == 1   ? loadAs<std::int8_t>(from)
                   : elementBytes == 2 ? loadAs<std::int16_t>(from)
                   : elementBytes == 4 ? loadAs<std::int32_t>(from)
                                       : loadAs<std::int64_t>(from);
        default:
            return elementBytes == 1   ? loadAs<std::uint8_t>(from)
                   : elementBytes == 2 ? loadAs<std::uint16_t>(from)
                   : elementBytes == 4 ? loadAs<std::uint32_t>(from)
                                       : loadAs<std::uint64_t>(from);
    }
}

NumpyArray parseNumpy(std::span<const std::byte> file, const std::string& name) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    constexpr std::size_t kVersionAt = kNumpyMagic.size(), kLengthAt = kVersionAt + 2;
    const NumpyHeader start("", name);
    if (text.substr(0, kNumpyMagic.size()) != kNumpyMagic || file.size() < kLengthAt + 4) {
        start.fail("not an array file");
    }
    const auto major = std::to_integer<unsigned>(file[kVersionAt]);
    if (major < 1 || major > 3 || file[kVersionAt + 1] != std::byte{0}) {
        start.fail(fmt::format("format version {}.{}, expected 1.0, 2.0 or 3.0", major,
                               std::to_integer<unsigned>(file[kVersionAt + 1])));
    }
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    std::size_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;) {
        length = length << 8 | std::to_integer<std::size_t>(file[kLengthAt + i]);
    }
    const std::size_t headerAt = kLengthAt + lengthBytes;
    if (length > file.size() - headerAt) {
        start.fail(fmt::format("a header of {} bytes, the file has {}", length, file.size()));
    }
    NumpyArray array;
    NumpyHeader header(text.substr(headerAt, length), name);
    header.read(array);
    array.data = file.subspan(headerAt + length);
    std::uint64_t bytes = array.elementBytes;
    for (const std::uint64_t extent : array.shape) {
        if (__builtin_mul_overflow(bytes, extent, &bytes)) {
            header.fail("the shape has too many elements");
        }
    }
    if (array.data.size() != bytes) {
        header.fail(fmt::format("{} bytes of data, expected {}", array.data.size(), bytes));
    }
    return array;
}

}  // namespace vnpu::sim::media
