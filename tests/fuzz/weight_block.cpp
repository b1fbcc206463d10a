// SPDX-License-Identifier: Apache-2.0
// Coded weights from the fuzzer: two bytes for the number of weights, then a block. What the
// decoder takes must be what the description of the code says, after a correction of the CRC, which
// a fuzzer would not find. The block's bytes also serve as weights to encode.
#include <algorithm>
#include <vector>

#include "driver/compiler/weights/weight_encoder.h"
#include "hw_model/kernels/decoder/weight_decoder.h"
#include "tests/fuzz/target.h"
#include "tests/support/weight_code_reference.h"

namespace vnpu::fuzz {

namespace {

using hw::kernels::decodeWeights;
using hw::kernels::WeightCodeFault;

using Bytes = std::vector<std::byte>;

void decode(Bytes block, std::size_t size) {
    Bytes decoded(size);
    WeightCodeFault fault = decodeWeights(block, decoded);
    if (fault == WeightCodeFault::kBadCrc) {
        const std::uint16_t crc = vnpu::test::referenceCrc(decoded);
        block[2] = static_cast<std::byte>(crc & 0xFFU);
        block[3] = static_cast<std::byte>(crc >> 8U);
        fault = decodeWeights(block, decoded);
        require(fault == WeightCodeFault::kNone, "a right CRC is refused");
    }
    if (fault == WeightCodeFault::kNone) {
        require(vnpu::test::referenceDecode(block, size) == decoded,
                "other weights than described");
    }
    require(!describe(fault).empty(), "a fault without a name");
}

void encode(const Bytes& weights) {
    const Bytes block = driver::encodeWeights(weights);
    Bytes decoded(weights.size());
    require(block.size() == driver::encodedSize(weights), "another size than announced");
    require(block.size() <= weights.size() + 16, "longer by more than a header");
    require(decodeWeights(block, decoded) == WeightCodeFault::kNone, "a block is refused");
    require(decoded == weights, "other weights than encoded");
}

void runBlock(std::span<const uint8_t> input) {
    if (input.size() < 3) {
        return;
    }
    constexpr std::size_t kMostWeights = 4096;
    const std::size_t size = (input[0] + std::size_t{256} * input[1]) % kMostWeights + 1;
    const auto bytes = std::as_bytes(input.subspan(2));
    const Bytes block(bytes.begin(), bytes.end());
    decode(block, size);
    encode(block);
}

}  // namespace

const Target kWeightBlock{"weight_block", runBlock};

}  // namespace vnpu::fuzz
