// SPDX-License-Identifier: Apache-2.0
#include <farmhash.h>
#include <fmt/format.h>

#include <Eigen/Core>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

/// How bits are combined to numbers. source: NNAPI's LSH_PROJECTION, its input 3.
enum class ProjectionType : std::int32_t {
    kSparseDeprecated = 1,  // a signature per hash function
    kDense = 2,             // a bit per number
    kSparse = 3,            // signatures in ranges of their own
};

constexpr std::uint32_t kMostSignatureBits = 32;
constexpr std::uint64_t kOperationsPerHash = 64;  // chosen: of a short key

/// Whether the weighted items lie on the positive side of the hyperplane of hash function `seed`.
bool isOnPositiveSide(const Tensor& input, const RealValues& weights, float seed) {
    const std::uint32_t items = input.dimensions[0];
    const std::size_t itemBytes = items == 0 ? 0 : input.sizeBytes() / items;
    std::vector<char> key(sizeof(seed) + itemBytes);
    std::memcpy(key.data(), &seed, sizeof(seed));
    double score = 0.0;
    for (std::uint32_t i = 0; i < items; ++i) {
        if (itemBytes != 0) {
            std::memcpy(key.data() + sizeof(seed), input.data + i * itemBytes, itemBytes);
        }
        const auto hash = static_cast<std::int64_t>(util::Fingerprint64(key.data(), key.size()));
        const double weight = weights.isThere() ? static_cast<double>(weights[i]) : 1.0;
        score += weight * static_cast<double>(hash);
    }
    return score > 0.0;
}

/// Packs the bits of each hash function into a number, the first bit being the highest.
void writeSignatures(const std::vector<std::uint8_t>& bits, std::uint32_t functions,
                     std::uint32_t perFunction, bool isApart, std::int32_t* out) {
    for (std::uint32_t f = 0; f < functions; ++f) {
        std::uint32_t signature = 0;
        for (std::uint32_t b = 0; b < perFunction; ++b) {
            signature = signature << 1 | bits[std::size_t{f} * perFunction + b];
        }
        const auto base = static_cast<std::uint32_t>(std::uint64_t{f} << perFunction);
        out[f] = static_cast<std::int32_t>(isApart ? signature + base : signature);
    }
}

JobStatus lshProjection(OperatorCall& call) {
    const Dimensions& seeds = call.input(0).dimensions;
    const Tensor& input = call.input(1);
    const RealValues weights(call, 2);
    if (isScalar(input.type) || input.dimensions.rank() == 0) {
        return call.refuse("the input has no items");
    }
    if (weights.isThere() && weights.size() != input.dimensions[0]) {
        return call.refuse(
                fmt::format("{} weights for {} items", weights.size(), input.dimensions[0]));
    }
    const auto type = static_cast<ProjectionType>(call.int32(3));
    const bool isDense = type == ProjectionType::kDense;
    if (!isDense && type != ProjectionType::kSparse && type != ProjectionType::kSparseDeprecated) {
        return call.refuse(fmt::format("the type is {}, expected 1 to 3", call.int32(3)));
    }
    const std::uint32_t functions = seeds[0];
    const std::uint32_t perFunction = seeds[1];
    if (!isDense && perFunction > kMostSignatureBits) {
        return call.refuse(fmt::format("a hash has {} bits, expected at most {}", perFunction,
                                       kMostSignatureBits));
    }
    const std::uint64_t count = seeds.elements();
    const auto numbers = isDense ? static_cast<std::uint32_t>(count) : functions;
    VNPU_TRY(call.settle(0, {numbers}));
    const RealValues hashes(call, 0);
    std::vector<std::uint8_t> bits(count);
    const std::uint64_t work = input.dimensions[0] * kOperationsPerHash + input.sizeBytes();
    forEachTask(count, work * count, [&](std::size_t i) {
        bits[i] = isOnPositiveSide(input, weights, hashes[i]) ? 1 : 0;
    });
    std::int32_t* out = call.write<std::int32_t>(0);
    if (isDense) {
        std::copy(bits.begin(), bits.end(), out);
    } else {
        writeSignatures(bits, functions, perFunction, type == ProjectionType::kSparse, out);
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kLshEntries[] = {
        {Operator::kLshProjection, {"r2Xr1?i", "v"}, lshProjection}};

}  // namespace

std::span<const OperatorEntry> lshOperators() {
    return kLshEntries;
}

}  // namespace vnpu::hw::kernels
