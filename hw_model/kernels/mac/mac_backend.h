// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw_model/kernels/support/processor_level.h"

namespace vnpu::hw::kernels {

/// Columns of a filter panel. A panel holds 16 output channels as words [K][16]; a word is one
/// float, a pair of 16-bit integers or four bytes: one, two or four steps of the reduction.
/// Channels and steps beyond the end are zero.
inline constexpr std::size_t kPanelColumns = 16;

/// acc[row][column] (+)= sum over k of left[row][k] * panels[column / 16][k][column % 16], word by
/// word in order of k; for bytes also plus the offsets of row and column.
struct GemmBlock {
    const std::byte* left = nullptr;  // words
    std::size_t leftStride = 0;       // bytes between rows
    const std::uint32_t* panels = nullptr;
    std::size_t panelStride = 0;        // words between panels
    std::size_t words = 0;              // of the reduction
    std::byte* accumulators = nullptr;  // 32 bits each
    std::size_t accumulatorStride = 0;  // elements between rows
    std::size_t rows = 0;
    std::size_t columns = 0;
    bool accumulate = false;                      // otherwise the accumulators start from zero
    const std::int32_t* rowOffsets = nullptr;     // for bytes only; null: none
    const std::int32_t* columnOffsets = nullptr;  // for bytes only, in whole panels
    /// What will be packed next, so that it can be fetched meanwhile: as many rows of `words` words
    /// as there are columns, or null. Only a hint.
    const std::byte* next = nullptr;
    std::size_t nextStride = 0;  // bytes between rows
};

/// Neighboring output pixels of a depthwise convolution which use the same filter taps.
struct DepthwiseRun {
    const std::byte* const* taps;  // for each tap, its input for the first pixel
    const std::int32_t* const*
            weights;  // for each tap, per channel: float bits, or 16-bit values in 32 bits
    std::size_t tapCount;
    std::size_t pixels;
    std::size_t pixelStep;     // bytes between the inputs of neighboring pixels
    std::size_t firstChannel;  // first channel to compute
    std::size_t channels;      // of the tensor
    std::byte* accumulators;   // [pixels][channels]
    bool accumulate;
    bool isSigned;           // 8 bit only
    std::int32_t zeroPoint;  // 8 bit only, of the input
};

/// Neighboring pixels (all or some of their channels) that leave the accumulators; all pointers
/// refer to the first one. The tables hold one value per channel; scales and zero points are used
/// only for 8-bit outputs. For a float run, accumulators and outputs are floats, bias and clamps
/// are the bits of floats.
struct DrainRun {
    const std::byte* accumulators;
    std::size_t accumulatorStep;  // elements between pixels
    std::byte* output;
    std::size_t outputStep;  // bytes between pixels
    std::size_t pixels;
    std::size_t channels;
    const std::int32_t* bias;
    const std::int32_t* multiplier;  // never INT32_MIN
    const std::int32_t* leftShift;   // 0 to 31
    const std::int32_t* rightShift;  // 0 to 31; one of the two is 0
    std::int32_t zeroPoint;
    std::int32_t clampMin;  // within the output type
    std::int32_t clampMax;

    /// The same run from another channel on; `elementBytes` is that of the output.
    DrainRun from(std::size_t channel, std::size_t elementBytes) const {
        DrainRun rest = *this;
        rest.accumulators += channel * sizeof(std::int32_t);
        rest.output += channel * elementBytes;
        rest.channels -= channel;
        rest.bias += channel;
        rest.multiplier += channel;
        rest.leftShift += channel;
        rest.rightShift += channel;
        return rest;
    }
};

/// The inner loops of the MAC array for one class of processors. All backends give the same bits:
/// integers modulo 2^32, floats by one fused multiply-add per step in the order of the steps.
struct MacBackend {
    const char* name;      // as in VNPU_KERNELS
    ProcessorLevel level;  // the minimum level of the processor
    /// destination[i] = source[i] - zeroPoint, 16 bits each.
    void (*widen)(const std::byte* source, std::size_t count, bool isSigned, std::int32_t zeroPoint,
                  std::byte* destination);
    /// panel[k][r] = rows[r][k] for the 16 rows, each of whole words.
    void (*packPanel)(const std::byte* rows, std::size_t strideBytes, std::size_t words,
                      std::uint32_t* panel);
    /// The preferred number of columns per call, in whole pairs of panels.
    std::size_t gemmColumns;
    void (*gemmFloat)(const GemmBlock& block);
    /// Products of 8-bit operands, in one of two forms (the other is null). gemmInt16 takes pairs
    /// of 16-bit integers from -255 to 255, the range of differences of 8-bit values. gemmInt8,
    /// where the processor has an instruction for it, takes bytes: unsigned on the left and signed
    /// in the panels.
    void (*gemmInt16)(const GemmBlock& block);
    void (*gemmInt8)(const GemmBlock& block);
    /// For gemmInt8: the sums of the signed bytes of each column of a panel, and the sum of
    /// unsigned bytes.
    void (*sumPanel)(const std::uint32_t* panel, std::size_t words, std::int32_t* sums);
    std::int32_t (*sumBytes)(const std::byte* bytes, std::size_t count);
    void (*depthwiseInt8)(const DepthwiseRun& run);
    void (*depthwiseFloat)(const DepthwiseRun& run);
    void (*drainInt8)(const DrainRun& run);
    void (*drainFloat)(const DrainRun& run);  // NaNs pass the clamp
};

extern const MacBackend kEigenBackend;
#if defined(__x86_64__)
extern const MacBackend kAvx2Backend;
extern const MacBackend kAvx512Backend;
#endif

/// Every backend that this processor can run, in ascending order of speed.
std::span<const MacBackend* const> supportedBackends();

/// The backend of processorLevel(), which may throw. Any thread.
const MacBackend& macBackend();

}  // namespace vnpu::hw::kernels
