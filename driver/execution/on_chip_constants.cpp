// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/on_chip_constants.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "driver/execution/constant_reads.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

namespace {

/// A piece of a source that is on chip as a whole or not at all.
struct Granule {
    std::size_t region = 0;
    std::uint64_t begin = 0;  // in the source's pages
    std::uint64_t end = 0;
    bool mayMove = true;
    std::optional<std::uint64_t> onChipAddress = std::nullopt;

    std::uint64_t sizeBytes() const { return end - begin; }
};

/// Large pages and what surrounds them; single pages, for a source without a large page.
void divide(std::size_t region, const BusPages& source, std::vector<Granule>& granules) {
    const std::uint64_t sizeBytes = source.bytes.size();
    const bool hasLargePages = sizeBytes >= hw::kLargePageBytes;
    const std::uint64_t step = hasLargePages ? hw::kLargePageBytes : hw::kPageBytes;
    for (std::uint64_t begin = 0; begin < sizeBytes;) {
        const std::uint64_t next = hw::roundUp(source.busAddress + begin + 1, step);
        const std::uint64_t end = std::min(next - source.busAddress, sizeBytes);
        // A mapping is aligned like its first piece, which therefore stays aligned like the source.
        const bool mayMove = begin != 0 || !hasLargePages || end == hw::kLargePageBytes;
        granules.push_back({.region = region, .begin = begin, .end = end, .mayMove = mayMove});
        begin = end;
    }
}

std::vector<Granule> granulesOf(const OnChipConstants::Sources& sources) {
    std::vector<Granule> granules;
    for (std::size_t region = 0; region < sources.size(); ++region) {
        if (sources[region]) {
            divide(region, sources[region]->pages, granules);
        }
    }
    return granules;
}

/// Bytes that transfers read, and the granules that must all be on chip to save the way to DRAM.
struct Wish {
    double worth = 0;
    std::span<Granule> granules;

    std::uint64_t missingBytes() const {
        std::uint64_t bytes = 0;
        for (const Granule& granule : granules) {
            bytes += granule.onChipAddress ? 0 : granule.sizeBytes();
        }
        return bytes;
    }
};

std::span<Granule> granulesAround(std::vector<Granule>& granules, std::size_t region,
                                  std::uint64_t begin, std::uint64_t end) {
    const auto isBefore = [&](const Granule& granule) {
        return granule.region < region || (granule.region == region && granule.end <= begin);
    };
    const auto isBegun = [&](const Granule& granule) {
        return granule.region < region || (granule.region == region && granule.begin < end);
    };
    return {std::ranges::partition_point(granules, isBefore),
            std::ranges::partition_point(granules, isBegun)};
}

/// Transfers of the same bytes are one wish.
std::vector<Wish> wishesOf(const CompiledModel& compiled, const OnChipConstants::Sources& sources,
                           std::vector<Granule>& granules) {
    std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, double> worths;
    for (const ConstantRead& read : constantReads(compiled)) {
        if (sources[read.region]) {
            worths[{read.region, read.begin, read.end}] += read.worth;
        }
    }
    std::vector<Wish> wishes;
    for (const auto& [bytes, worth] : worths) {
        const auto& [region, begin, end] = bytes;
        const std::uint64_t first = sources[region]->firstByte;
        const Wish wish{worth, granulesAround(granules, region, first + begin, first + end)};
        if (std::ranges::all_of(wish.granules, &Granule::mayMove)) {
            wishes.push_back(wish);
        }
    }
    return wishes;
}

/// Takes the wish that is worth most for each byte that it still needs out of the list; nothing if
/// none needs any.
std::optional<Wish> takeBest(std::vector<Wish>& wishes) {
    std::erase_if(wishes, [](const Wish& wish) { return wish.missingBytes() == 0; });
    const auto best = std::ranges::max_element(wishes, {}, [](const Wish& wish) {
        return wish.worth / static_cast<double>(wish.missingBytes());
    });
    if (best == wishes.end()) {
        return std::nullopt;
    }
    const Wish taken = *best;
    wishes.erase(best);
    return taken;
}

/// The source's pages in order, with the copies in place of what they replace; nothing without a
/// copy.
std::vector<BusRange> mixedRanges(const std::vector<Granule>& granules, std::size_t region,
                                  const BusPages& source) {
    std::vector<BusRange> ranges;
    bool hasCopy = false;
    for (const Granule& granule : granules) {
        if (granule.region != region) {
            continue;
        }
        hasCopy = hasCopy || granule.onChipAddress;
        const std::uint64_t address =
                granule.onChipAddress.value_or(source.busAddress + granule.begin);
        if (!ranges.empty() && ranges.back().address + ranges.back().sizeBytes == address) {
            ranges.back().sizeBytes += granule.sizeBytes();
        } else {
            ranges.push_back({address, granule.sizeBytes()});
        }
    }
    return hasCopy ? ranges : std::vector<BusRange>{};
}

}  // namespace

bool OnChipConstants::copy(Context& context, OnChipMemory& onChip, const BusPages& source,
                           std::uint64_t begin, std::uint64_t sizeBytes) {
    auto claim = context.share().claimMemory(sizeBytes);
    auto memory = claim ? onChip.allocateForConstants(sizeBytes) : std::nullopt;
    if (!memory) {
        return false;
    }
    std::ranges::copy(source.bytes.subspan(begin, sizeBytes), memory->bytes().begin());
    copies_.push_back({*std::move(claim), *std::move(memory)});
    return true;
}

Result<OnChipConstants> OnChipConstants::place(Context& context, OnChipMemory& onChip,
                                               const CompiledModel& compiled,
                                               const Sources& sources) {
    OnChipConstants placed;
    std::vector<Granule> granules = granulesOf(sources);
    std::vector<Wish> wishes = wishesOf(compiled, sources, granules);
    while (const auto wish = takeBest(wishes)) {
        const std::size_t before = placed.copies_.size();
        std::vector<Granule*> moved;
        bool fits = true;
        for (Granule& granule : wish->granules) {
            if (fits && !granule.onChipAddress) {
                fits = placed.copy(context, onChip, sources[granule.region]->pages, granule.begin,
                                   granule.sizeBytes());
                if (fits) {
                    granule.onChipAddress = placed.copies_.back().memory.busAddress();
                    moved.push_back(&granule);
                }
            }
        }
        if (!fits) {  // a part would save nothing
            for (Granule* granule : moved) {
                granule->onChipAddress.reset();
            }
            placed.copies_.erase(placed.copies_.begin() + static_cast<std::ptrdiff_t>(before),
                                 placed.copies_.end());
        }
    }
    placed.regions_.resize(sources.size());
    for (std::size_t region = 0; region < sources.size(); ++region) {
        const std::vector<BusRange> ranges =
                sources[region] ? mixedRanges(granules, region, sources[region]->pages)
                                : std::vector<BusRange>{};
        if (!ranges.empty()) {
            VNPU_TRY_ASSIGN(auto pages,
                            AddressMapping::create(context.addressSpace(), ranges, false));
            placed.regions_[region].emplace(
                    MixedRegion{std::move(pages), sources[region]->firstByte});
        }
    }
    return placed;
}

std::optional<std::uint64_t> OnChipConstants::addressOf(std::size_t region) const {
    if (region >= regions_.size() || !regions_[region]) {
        return std::nullopt;
    }
    return regions_[region]->pages.address() + regions_[region]->firstByte;
}

}  // namespace vnpu::driver
