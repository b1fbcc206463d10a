// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/decoder/weight_decoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "hw_model/regs/weight_code.h"

namespace vnpu::hw::kernels {

namespace {

/// Gives the bits of the coded bytes, the most significant bit of each byte first. Behind the last
/// one follow zeros, which isOverdrawn() reports.
class BitReader {
  public:
    explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    /// At least 57 bits are there afterwards.
    void fill() {
        if (bytes_.size() - next_ >= sizeof(std::uint64_t) && count_ < 64) {
            std::uint64_t word = 0;
            std::memcpy(&word, &bytes_[next_], sizeof(word));
            window_ |= bigEndian(word) >> count_;
            const unsigned taken = (63 - count_) / 8;
            next_ += taken;
            count_ += taken * 8;
            return;
        }
        for (; count_ <= 56; count_ += 8) {
            if (next_ < bytes_.size()) {
                window_ |= std::to_integer<std::uint64_t>(bytes_[next_++]) << (56 - count_);
            } else {
                borrowed_ += 8;
            }
        }
    }

    /// The next bits, at most 32, of those that fill() has made available.
    std::uint32_t peek(unsigned bits) const {
        return static_cast<std::uint32_t>(window_ >> 32U >> (32 - bits));
    }
    void skip(unsigned bits) {
        window_ <<= bits;
        count_ -= bits;
    }
    std::uint32_t take(unsigned bits) {
        const std::uint32_t value = peek(bits);
        skip(bits);
        return value;
    }

    /// Whether bits behind the end were taken.
    bool isOverdrawn() const { return count_ < borrowed_; }
    /// Whether only the rest of the last byte is left, and it is zero.
    bool isAtEnd() const {
        return next_ == bytes_.size() && count_ - borrowed_ < 8 && window_ == 0;
    }

  private:
    std::span<const std::byte> bytes_;
    std::size_t next_ = 0;
    std::uint64_t window_ = 0;  // unused bits, from the top; bits below `count_` may be there too
    unsigned count_ = 0;
    unsigned borrowed_ = 0;  // zeros from behind the end
};

/// The code word that begins with the index's bits, and the class that it stands for.
struct CodeWord {
    std::uint16_t base = 0;
    std::uint8_t bits = 0;  // 0: there is none
    std::uint8_t extraBits = 0;
    bool isRun = false;
};

using CodeTable = std::array<CodeWord, 1U << kMostCodeBits>;

/// Code words are numbered by length, then by symbol. False if the lengths do not fit.
bool makeTable(const WeightBlockHeader& header, CodeTable& table) {
    std::size_t next = 0;
    for (unsigned bits = 1; bits <= kMostCodeBits; ++bits) {
        for (std::uint32_t symbol = 0; symbol < kWeightSymbols; ++symbol) {
            if (codeLength(header, symbol) != bits) {
                continue;
            }
            const std::size_t share = table.size() >> bits;
            if (share > table.size() - next) {
                return false;
            }
            const WeightClass numbers = weightClass(symbol);
            const CodeWord word{numbers.base, static_cast<std::uint8_t>(bits), numbers.extraBits,
                                symbol >= kValueClasses};
            std::fill_n(table.begin() + static_cast<std::ptrdiff_t>(next), share, word);
            next += share;
        }
    }
    std::fill(table.begin() + static_cast<std::ptrdiff_t>(next), table.end(), CodeWord{});
    return true;
}

bool hasLongCode(const WeightBlockHeader& header) {
    for (std::uint32_t symbol = 0; symbol < kWeightSymbols; ++symbol) {
        if (codeLength(header, symbol) > kMostCodeBits) {
            return true;
        }
    }
    return false;
}

/// A single weight whose code word and extra bits begin the index's bits.
struct ShortWord {
    std::byte value{};
    std::uint8_t bits = 0;  // 0: they are longer, or stand for a run, or there is no such code word
};

constexpr unsigned kShortBits = 11;  // chosen: most weights of most blocks take fewer
using ShortTable = std::array<ShortWord, 1U << kShortBits>;

void makeShortTable(const CodeTable& table, std::uint8_t center, ShortTable& shortTable) {
    for (std::uint32_t index = 0; index < shortTable.size(); ++index) {
        const CodeWord& word = table[index >> (kShortBits - kMostCodeBits)];
        const unsigned bits = word.bits + word.extraBits;
        shortTable[index] = {};
        if (word.bits != 0 && !word.isRun && bits <= kShortBits) {
            const std::uint32_t extra =
                    index >> (kShortBits - bits) & ((1U << word.extraBits) - 1U);
            shortTable[index] = {std::byte{weightAt(word.base + extra, center)},
                                 static_cast<std::uint8_t>(bits)};
        }
    }
}

/// Decodes the code words of one block.
class SymbolDecoder {
  public:
    SymbolDecoder(const CodeTable& table, std::uint8_t center, std::span<const std::byte> content,
                  std::span<std::byte> bytes)
        : table_(table), center_(center), reader_(content), bytes_(bytes) {
        makeShortTable(table, center, shortTable_);
    }

    WeightCodeFault run() {
        while (done_ < bytes_.size()) {
            reader_.fill();
            if (!takeShortWords()) {
                const WeightCodeFault fault = takeWord();
                if (fault != WeightCodeFault::kNone) {
                    return reader_.isOverdrawn() ? WeightCodeFault::kTruncated : fault;
                }
            }
            if (reader_.isOverdrawn()) {
                return WeightCodeFault::kTruncated;
            }
        }
        return reader_.isAtEnd() ? WeightCodeFault::kNone : WeightCodeFault::kTrailing;
    }

  private:
    /// As many as one fill() is enough for; false if the next word is no short one.
    bool takeShortWords() {
        constexpr int kMost = 57 / kShortBits;
        for (int taken = 0; taken < kMost; ++taken) {
            const ShortWord word = shortTable_[reader_.peek(kShortBits)];
            if (word.bits == 0) {
                return taken > 0;
            }
            bytes_[done_++] = word.value;
            reader_.skip(word.bits);
            if (done_ == bytes_.size()) {
                break;
            }
        }
        return true;
    }

    WeightCodeFault takeWord() {
        const CodeWord& word = table_[reader_.peek(kMostCodeBits)];
        if (word.bits == 0) {
            return WeightCodeFault::kBadCodeWord;
        }
        reader_.skip(word.bits);
        const std::uint32_t number = word.base + reader_.take(word.extraBits);
        if (!word.isRun) {
            bytes_[done_++] = std::byte{weightAt(number, center_)};
            return WeightCodeFault::kNone;
        }
        if (number > bytes_.size() - done_) {
            return WeightCodeFault::kLongRun;
        }
        std::memset(&bytes_[done_], center_, number);
        done_ += number;
        return WeightCodeFault::kNone;
    }

    const CodeTable& table_;
    std::uint8_t center_;
    BitReader reader_;
    std::span<std::byte> bytes_;
    std::size_t done_ = 0;
    ShortTable shortTable_;
};

WeightCodeFault copyStored(const WeightBlockHeader& header, std::span<const std::byte> stored,
                           std::span<std::byte> bytes) {
    const bool hasLengths = std::any_of(std::begin(header.lengths), std::end(header.lengths),
                                        [](std::uint8_t both) { return both != 0; });
    if (header.center != 0 || hasLengths) {
        return WeightCodeFault::kBadHeader;
    }
    if (stored.size() != bytes.size()) {
        return stored.size() < bytes.size() ? WeightCodeFault::kTruncated
                                            : WeightCodeFault::kTrailing;
    }
    std::copy(stored.begin(), stored.end(), bytes.begin());
    return WeightCodeFault::kNone;
}

WeightCodeFault decodeBlock(const WeightBlockHeader& header, std::span<const std::byte> content,
                            std::span<std::byte> bytes) {
    if (header.kind == WeightBlockKind::kStored) {
        return copyStored(header, content, bytes);
    }
    if (header.kind != WeightBlockKind::kCoded) {
        return WeightCodeFault::kBadHeader;
    }
    CodeTable table;
    if (hasLongCode(header) || !makeTable(header, table)) {
        return WeightCodeFault::kBadLengths;
    }
    return SymbolDecoder(table, header.center, content, bytes).run();
}

}  // namespace

std::string_view describe(WeightCodeFault fault) {
    switch (fault) {
        case WeightCodeFault::kNone:
            return "no fault";
        case WeightCodeFault::kShortHeader:
            return "fewer bytes than a header";
        case WeightCodeFault::kBadHeader:
            return "no valid header";
        case WeightCodeFault::kBadLengths:
            return "lengths of code words that do not fit";
        case WeightCodeFault::kBadCodeWord:
            return "bits that are no code word";
        case WeightCodeFault::kTruncated:
            return "an end before that of the block";
        case WeightCodeFault::kLongRun:
            return "a run beyond the end of the block";
        case WeightCodeFault::kTrailing:
            return "bits behind the last code word";
        case WeightCodeFault::kBadCrc:
            return "a wrong CRC";
    }
    return "?";
}

WeightCodeFault decodeWeights(std::span<const std::byte> coded, std::span<std::byte> bytes) {
    WeightBlockHeader header{};
    if (coded.size() < sizeof(header)) {
        return WeightCodeFault::kShortHeader;
    }
    std::memcpy(&header, coded.data(), sizeof(header));
    const WeightCodeFault fault = decodeBlock(header, coded.subspan(sizeof(header)), bytes);
    if (fault != WeightCodeFault::kNone) {
        return fault;
    }
    return crc16(bytes) == header.crc ? WeightCodeFault::kNone : WeightCodeFault::kBadCrc;
}

}  // namespace vnpu::hw::kernels
