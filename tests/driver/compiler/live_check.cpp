// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/live_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver::test {
namespace {

/// One flag per byte: 1 if the byte still has the value that was written there.
class Memory {
  public:
    explicit Memory(std::uint64_t bytes) : isKnown_(bytes, 0) {}

    void write(std::uint64_t at, std::uint64_t bytes) {
        if (check(at, bytes)) {
            std::memset(&isKnown_[at], 1, bytes);
        }
    }
    void read(std::uint64_t at, std::uint64_t bytes) {
        if (check(at, bytes) && std::memchr(&isKnown_[at], 0, bytes) != nullptr) {
            problem = fmt::format("of bytes {} to {} not all are what was written there", at,
                                  at + bytes);
        }
    }
    void forgetAllBut(const std::vector<std::uint8_t>& kept) {
        for (std::size_t i = 0; i < isKnown_.size(); ++i) {
            isKnown_[i] &= kept[i];
        }
    }
    std::size_t size() const { return isKnown_.size(); }

    std::string problem;

  private:
    bool check(std::uint64_t at, std::uint64_t bytes) {
        if (at + bytes > isKnown_.size() || bytes == 0) {
            problem = fmt::format("{} bytes at {} of {}", bytes, at, isKnown_.size());
        }
        return problem.empty();
    }

    std::vector<std::uint8_t> isKnown_;
};

/// The transfer that last wrote each byte of SRAM, and what has been stored to memory since.
class Origins {
  public:
    explicit Origins(std::uint64_t sramBytes) : of_(sramBytes, kNone) {}

    void loaded(std::uint64_t at, std::uint64_t bytes, std::size_t transfer) {
        std::fill_n(of_.begin() + static_cast<std::ptrdiff_t>(at), bytes, transfer);
    }
    void written(std::uint64_t at, std::uint64_t bytes) { loaded(at, bytes, kNone); }
    template <typename Work>
    void stored(const Work& work, std::size_t command) {
        stores_.push_back({work.destination.space, work.destination.offset,
                           work.destination.offset + reach(work, work.destinationStrides),
                           command});
    }
    void storedAnywhere(std::uint16_t space, std::size_t command) {
        stores_.push_back({space, 0, UINT64_MAX, command});
    }

    /// Whether the byte still is the one that the transfer loaded.
    bool isFrom(std::uint64_t at, std::size_t transfer) const { return of_.at(at) == transfer; }
    bool isUnchanged(const hw::DmaTransfer& work, std::size_t transfer) const {
        const std::uint64_t begin = work.source.offset;
        const std::uint64_t end = begin + reach(work, work.sourceStrides);
        return std::none_of(stores_.begin(), stores_.end(), [&](const Store& store) {
            return store.space == work.source.space && store.command > transfer &&
                   store.begin < end && begin < store.end;
        });
    }

  private:
    static constexpr std::size_t kNone = SIZE_MAX;

    struct Store {
        std::uint16_t space;
        std::uint64_t begin, end;
        std::size_t command;
    };

    template <typename Work>
    static std::uint64_t reach(const Work& work, const std::uint32_t* strides) {
        std::uint64_t bytes = work.rowBytes;
        for (int d = 0; d < 3; ++d) {
            bytes += (work.counts[d] - 1ULL) * strides[d];
        }
        return bytes;
    }

    std::vector<std::size_t> of_;
    std::vector<Store> stores_;
};

class Walker {
  public:
    Walker(const CompiledModel& model, const DeviceInfo& device)
        : commands_(model.commands),
          regions_(model.regions),
          sram_(device.sramBytes),
          accumulators_(device.accumulatorBytes),
          origins_(device.sramBytes) {}

    std::string step(const hw::CommandView& view) {
        using hw::Opcode;
        offset_ = view.offset;
        switch (view.header->opcode) {
            case Opcode::kDmaTransfer:
                walk(view.as<hw::DmaTransfer>());
                break;
            case Opcode::kDmaFill:
                walk(view.as<hw::DmaFill>());
                break;
            case Opcode::kMacConv:
                walk(view.as<hw::MacConv>());
                break;
            case Opcode::kVecPool:
                walk(view.as<hw::VecPool>());
                break;
            case Opcode::kVecEltwise:
                walk(view.as<hw::VecEltwise>());
                break;
            case Opcode::kVecUnary:
                walk(view.as<hw::VecUnary>());
                break;
            case Opcode::kVecSoftmax:
                walk(view.as<hw::VecSoftmax>());
                break;
            case Opcode::kVecReduce:
                walk(view.as<hw::VecReduce>());
                break;
            case Opcode::kVecOperator:
                walk(view.as<hw::VecOperator>());
                break;
            case Opcode::kDspOperator:
                walkDspOperator();
                break;
            case Opcode::kCheckpoint:
                walk(view.as<hw::Checkpoint>());
                break;
            case Opcode::kSegment:
            case Opcode::kLoop:
            case Opcode::kBranch:
                walk(hw::Checkpoint{});
                break;
            default:
                break;
        }
        return sram_.problem.empty() ? accumulators_.problem : sram_.problem;
    }

  private:
    /// Calls `access` with the start of each row in SRAM.
    template <typename Access>
    static void rows(const hw::MemoryRef& ref, const std::uint32_t* counts,
                     const std::uint32_t* strides, Access access) {
        if (ref.space != hw::kSpaceSram) {
            return;
        }
        for (std::uint64_t i = 0; i < counts[0]; ++i) {
            for (std::uint64_t j = 0; j < counts[1]; ++j) {
                for (std::uint64_t k = 0; k < counts[2]; ++k) {
                    access(ref.offset + i * strides[0] + j * strides[1] + k * strides[2]);
                }
            }
        }
    }

    void write(std::uint64_t at, std::uint64_t bytes) {
        sram_.write(at, bytes);
        if (sram_.problem.empty()) {
            origins_.written(at, bytes);
        }
    }

    void walk(const hw::DmaTransfer& work) {
        rows(work.source, work.counts, work.sourceStrides,
             [&](std::uint64_t at) { sram_.read(at, work.rowBytes); });
        rows(work.destination, work.counts, work.destinationStrides, [&](std::uint64_t at) {
            sram_.write(at, work.rowBytes);
            if (sram_.problem.empty()) {
                origins_.loaded(at, work.rowBytes, offset_);
            }
        });
        if (work.destination.space != hw::kSpaceSram) {
            origins_.stored(work, offset_);
        }
    }

    void walk(const hw::DmaFill& work) {
        rows(work.destination, work.counts, work.destinationStrides,
             [&](std::uint64_t at) { write(at, work.rowBytes); });
        if (work.destination.space != hw::kSpaceSram) {
            origins_.stored(work, offset_);
        }
    }

    /// A descriptor in memory gives the places of its outputs, so it may write any writable region.
    void walkDspOperator() {
        for (std::size_t space = 0; space < regions_.size(); ++space) {
            if (regions_[space].isWritable) {
                origins_.storedAnywhere(static_cast<std::uint16_t>(space), offset_);
            }
        }
    }

    void walk(const hw::MacConv& work) {
        const bool isDepthwise = (work.flags & hw::kMacDepthwise) != 0;
        readTile(work);
        const std::uint64_t taps = std::uint64_t{work.filterHeight} * work.filterWidth;
        sram_.read(work.filterSram, taps * work.outputChannels *
                                            (isDepthwise ? 1 : work.inputChannels) *
                                            hw::elementBytes(work.filterType));
        const std::uint64_t results =
                std::uint64_t{work.outputHeight} * work.outputWidth * work.outputChannels;
        if (work.blockHeight == 0 || hw::blocksOf(work).count() == 1) {
            if ((work.flags & hw::kMacAccumulate) != 0) {
                accumulators_.read(work.accumulatorOffset, results * 4);
            }
            accumulators_.write(work.accumulatorOffset, results * 4);
        }
        if ((work.flags & hw::kMacDrain) == 0) {
            return;
        }
        if ((work.outputStage.flags & hw::kOutputHasBias) != 0) {
            sram_.read(work.outputStage.biasSram, work.outputChannels * 4ULL);
        }
        if ((work.outputStage.flags & hw::kOutputPerChannel) != 0) {
            sram_.read(work.outputStage.scaleSram, work.outputChannels * 8ULL);
        }
        for (std::uint64_t y = 0; y < work.outputHeight; ++y) {
            for (std::uint64_t x = 0; x < work.outputWidth; ++x) {
                write(work.outputSram + y * work.outputRowBytes + x * work.outputPixelBytes,
                      std::uint64_t{work.outputChannels} * hw::elementBytes(work.outputType));
            }
        }
    }

    /// Reads the pixels under the taps.
    void readTile(const hw::MacConv& work) {
        const auto isTouched = [](std::int64_t at, std::int64_t outputs, std::int64_t stride,
                                  std::int64_t taps, std::int64_t dilation, std::int64_t pad) {
            for (std::int64_t t = 0; t < taps; ++t) {
                const std::int64_t scaled = at + pad - t * dilation;
                if (scaled >= 0 && scaled % stride == 0 && scaled / stride < outputs) {
                    return true;
                }
            }
            return false;
        };
        for (std::uint32_t y = 0; y < work.inputHeight; ++y) {
            if (!isTouched(y, work.outputHeight, work.strideHeight, work.filterHeight,
                           work.dilationHeight, work.padTop)) {
                continue;
            }
            for (std::uint32_t x = 0; x < work.inputWidth; ++x) {
                if (isTouched(x, work.outputWidth, work.strideWidth, work.filterWidth,
                              work.dilationWidth, work.padLeft)) {
                    sram_.read(
                            work.inputSram + std::uint64_t{y} * work.inputRowBytes +
                                    std::uint64_t{x} * work.inputPixelBytes,
                            std::uint64_t{work.inputChannels} * hw::elementBytes(work.inputType));
                }
            }
        }
    }

    void walk(const hw::VecPool& work) {
        const std::uint64_t pixel = std::uint64_t{work.channels} * hw::elementBytes(work.type);
        sram_.read(work.inputSram, pixel * work.inputHeight * work.inputWidth);
        write(work.outputSram, pixel * work.outputHeight * work.outputWidth);
    }

    void walk(const hw::VecEltwise& work) {
        const std::uint64_t element = hw::elementBytes(work.type);
        std::uint64_t count = 0;
        for (std::uint64_t a = 0; a < work.dims[0]; ++a) {
            for (std::uint64_t b = 0; b < work.dims[1]; ++b) {
                for (std::uint64_t c = 0; c < work.dims[2]; ++c) {
                    for (std::uint64_t d = 0; d < work.dims[3]; ++d, ++count) {
                        for (int i = 0; i < 2; ++i) {
                            const std::uint32_t* strides = work.strides[i];
                            sram_.read(
                                    work.inputSram[i] + element * (a * strides[0] + b * strides[1] +
                                                                   c * strides[2] + d * strides[3]),
                                    element);
                        }
                    }
                }
            }
        }
        write(work.outputSram, count * element);
    }

    void walk(const hw::VecUnary& work) {
        if (work.kind == hw::UnaryKind::kLut) {
            sram_.read(work.tableSram, 256);
        }
        sram_.read(work.inputSram, std::uint64_t{work.count} * hw::elementBytes(work.inputType));
        write(work.outputSram, std::uint64_t{work.count} * hw::elementBytes(work.outputType));
    }

    void walk(const hw::VecSoftmax& work) {
        const std::uint64_t bytes =
                std::uint64_t{work.outer} * work.axis * work.inner * hw::elementBytes(work.type);
        sram_.read(work.inputSram, bytes);
        write(work.outputSram, bytes);
    }

    void walk(const hw::VecReduce& work) {
        std::uint64_t read = hw::elementBytes(work.type);
        std::uint64_t written = read;
        for (unsigned d = 0; d < 4; ++d) {
            read *= work.dims[d];
            written *= (work.reduceMask >> d & 1U) != 0 ? 1 : work.dims[d];
        }
        sram_.read(work.inputSram, read);
        write(work.outputSram, written);
    }

    void walk(const hw::VecOperator& work) {
        for (std::uint32_t i = 0; i < std::uint32_t{work.inputCount} + work.outputCount; ++i) {
            const hw::VecOperand& operand = work.operands[i];
            if ((operand.flags & (hw::kOperandImmediate | hw::kOperandOmitted)) != 0) {
                continue;
            }
            std::uint64_t bytes = hw::elementBytes(operand.type);
            for (unsigned d = 0; d < operand.rank; ++d) {
                bytes *= operand.words[d];
            }
            i < work.inputCount ? sram_.read(operand.sram, bytes) : write(operand.sram, bytes);
        }
    }

    /// The transfer that begins at this offset; it must read memory that only the stream writes.
    hw::DmaTransfer repeated(std::size_t offset) {
        hw::CommandReader reader(commands_.subspan(offset));
        hw::CommandView view;
        if (offset >= offset_ || !reader.next(view) ||
            view.header->opcode != hw::Opcode::kDmaTransfer) {
            sram_.problem = fmt::format("no transfer to repeat at {}", offset);
            return {};
        }
        const auto work = view.as<hw::DmaTransfer>();
        const RegionKind kind = regions_[work.source.space].kind;
        if (kind == RegionKind::kInput || kind == RegionKind::kOutput) {
            sram_.problem = fmt::format("repeats {}", hw::disassemble(view));
        } else if (!origins_.isUnchanged(work, offset)) {
            sram_.problem =
                    fmt::format("repeats what has been written since: {}", hw::disassemble(view));
        }
        return work;
    }

    /// The bytes that are restored once all transfers have been repeated, in any order.
    std::vector<std::uint8_t> reload(const hw::Checkpoint& checkpoint) {
        std::vector<std::uint8_t> kept(sram_.size(), 0);
        for (std::uint32_t r = 0; r < checkpoint.reloadCount; ++r) {
            const std::size_t offset = checkpoint.reloads[r];
            const hw::DmaTransfer work = repeated(offset);
            if (!sram_.problem.empty()) {
                return kept;
            }
            rows(work.destination, work.counts, work.destinationStrides, [&](std::uint64_t at) {
                for (std::uint64_t byte = at; byte < at + work.rowBytes; ++byte) {
                    kept.at(byte) = origins_.isFrom(byte, offset) ? 1 : 0;
                }
            });
        }
        return kept;
    }

    void walk(const hw::Checkpoint& checkpoint) {
        std::vector<std::uint8_t> kept = reload(checkpoint);
        for (std::uint32_t r = 0; r < checkpoint.rangeCount; ++r) {
            const hw::SramRange range = checkpoint.ranges[r];
            for (std::uint64_t i = 0; i < range.sizeBytes; ++i) {
                kept.at(range.offset + i) = 1;
            }
        }
        sram_.forgetAllBut(kept);
        kept.assign(accumulators_.size(), 0);
        for (std::uint64_t i = 0; i < checkpoint.accumulatorBytes; ++i) {
            kept.at(checkpoint.accumulatorOffset + i) = 1;
        }
        accumulators_.forgetAllBut(kept);
    }

    std::span<const std::byte> commands_;
    const std::vector<Region>& regions_;
    Memory sram_, accumulators_;
    Origins origins_;
    std::size_t offset_ = 0;  // of the current command
};

}  // namespace

std::string checkLiveSets(const CompiledModel& model, const DeviceInfo& device) {
    Walker walker(model, device);
    hw::CommandReader reader(model.commands);
    hw::CommandView view;
    while (reader.next(view)) {
        if (const std::string problem = walker.step(view); !problem.empty()) {
            return fmt::format("{}: {}", hw::disassemble(view), problem);
        }
    }
    return "";
}

}  // namespace vnpu::driver::test
