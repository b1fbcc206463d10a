// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// The format of the operands of a convolution's matrix product for a backend: 32-bit words of one
/// float, two 16-bit differences to the zero point, or four bytes. Bytes keep their zero point, but
/// the input's are made unsigned and the filter's signed, by flipping the top bit where the type
/// differs.
class WordFormat {
  public:
    /// Types as in MacConv; the backend must outlive the format.
    struct Operands {
        ElementType inputType = ElementType::kFloat32;
        std::int32_t inputZeroPoint = 0;
        ElementType filterType = ElementType::kFloat32;
        std::int32_t filterZeroPoint = 0;
    };

    WordFormat(const Operands& operands, const MacBackend& backend);

    bool isBytes() const { return kind_ == Kind::kBytes; }
    /// Steps of the reduction in a word, bytes of a step.
    std::size_t steps() const { return sizeof(std::uint32_t) / stepBytes_; }
    std::size_t stepBytes() const { return stepBytes_; }
    std::size_t wordsFor(std::size_t count) const { return (count + steps() - 1) / steps(); }

    /// Whether words equal the elements in memory.
    bool isInputAsIs() const { return inputFlip_ == 0 && kind_ != Kind::kPairs; }
    bool isFilterAsIs() const { return filterFlip_ == 0 && kind_ != Kind::kPairs; }

    /// Zero points of the operands as written.
    std::int32_t inputZeroPoint() const { return inputZeroPoint_; }
    std::int32_t filterZeroPoint() const { return filterZeroPoint_; }
    /// The byte that represents zero in the input.
    std::byte inputPadding() const { return static_cast<std::byte>(inputZeroPoint_); }

    /// Writes `count` elements as steps.
    void copyInput(const std::byte* source, std::size_t count, std::byte* destination) const;
    /// The same, but may read and write up to kSlackBytes more, limited by `sourceEnd`: that makes
    /// short copies cheap.
    static constexpr std::size_t kSlackBytes = 16;
    void copyInput(const std::byte* source, std::size_t count, std::byte* destination,
                   const std::byte* sourceEnd) const;

    /// A copy of input in groups of kSlackBytes, of which the last may be partly slack.
    struct ShortCopy {
        std::size_t bytes;
        std::byte flip;

        void operator()(const std::byte* source, std::byte* destination) const {
            for (std::size_t i = 0; i < bytes; i += kSlackBytes) {
                std::array<std::byte, kSlackBytes> group{};
                std::memcpy(group.data(), source + i, kSlackBytes);
                for (std::byte& byte : group) {
                    byte ^= flip;
                }
                std::memcpy(destination + i, group.data(), kSlackBytes);
            }
        }
    };
    /// None for pairs, nor for so many elements that other copies are faster.
    std::optional<ShortCopy> shortCopy(std::size_t count) const;

    void copyFilter(const std::byte* source, std::size_t count, std::byte* destination) const;

    void multiply(const GemmBlock& block) const { gemm_(block); }

  private:
    enum class Kind : std::uint8_t { kFloats, kPairs, kBytes };

    Operands operands_;
    const MacBackend& backend_;
    Kind kind_;
    std::size_t stepBytes_;
    void (*gemm_)(const GemmBlock&);
    std::uint8_t inputFlip_ = 0;
    std::uint8_t filterFlip_ = 0;
    std::int32_t inputZeroPoint_ = 0;
    std::int32_t filterZeroPoint_ = 0;
};

}  // namespace vnpu::hw::kernels
