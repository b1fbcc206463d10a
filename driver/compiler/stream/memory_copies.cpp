// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/memory_copies.h"

#include <algorithm>
#include <variant>

#include "driver/compiler/ir/accesses.h"

namespace vnpu::driver {
namespace {

/// Whether only commands of the job's own stream write there while it is in progress.
bool isOfTheStream(const Region& region) {
    return region.kind == RegionKind::kDriverConstants ||
           region.kind == RegionKind::kConstantPool || region.kind == RegionKind::kScratch;
}

bool overlap(const Span64& a, const Span64& b) {
    return a.begin < b.end && b.begin < a.end;
}

/// Whether the rows that a transfer writes leave no byte out between the first and the last.
bool isDense(const hw::DmaTransfer& work) {
    std::uint64_t bytes = work.rowBytes;
    for (int d = 2; d >= 0; --d) {
        if (work.counts[d] > 1 && work.destinationStrides[d] != bytes) {
            return false;
        }
        bytes *= work.counts[d];
    }
    return true;
}

}  // namespace

void MemoryCopies::step(std::uint32_t index, const Payload& payload) {
    if (std::holds_alternative<ControlCommand>(payload)) {
        copies_.clear();  // the stream may come here from elsewhere
    } else if (std::holds_alternative<hw::DspOperator>(payload)) {
        forgetWritable();  // its operands determine where it writes
    }
    for (const Access& access : accessesOf(payload)) {
        if (access.isWrite) {
            forgetOverwritten(access);
        }
    }
    if (const auto* transfer = std::get_if<hw::DmaTransfer>(&payload)) {
        load(index, *transfer);
    }
}

std::vector<Span64> MemoryCopies::readBy(const Payload& payload) const {
    std::vector<Span64> read;
    for (const Access& access : accessesOf(payload)) {
        if (access.isWrite || access.space != hw::kSpaceSram) {
            continue;
        }
        for (const MemoryCopy& copy : copies_) {
            const Span64 both{std::max(access.begin, copy.bytes.begin),
                              std::min(access.end, copy.bytes.end)};
            if (both.begin < both.end) {
                read.push_back(both);
            }
        }
    }
    return read;
}

void MemoryCopies::load(std::uint32_t index, const hw::DmaTransfer& work) {
    const std::uint16_t region = work.source.space;
    if (region < regions_.size() && isOfTheStream(regions_[region]) &&
        work.destination.space == hw::kSpaceSram && isDense(work)) {
        const AccessList accesses = accessesOf(work);
        copies_.push_back({index,
                           {accesses[1].begin, accesses[1].end},
                           region,
                           {accesses[0].begin, accesses[0].end}});
    }
}

void MemoryCopies::forgetOverwritten(const Access& access) {
    const Span64 written{access.begin, access.end};
    std::erase_if(copies_, [&](const MemoryCopy& copy) {
        return access.space == hw::kSpaceSram
                       ? overlap(copy.bytes, written)
                       : access.space == copy.region && overlap(copy.source, written);
    });
}

void MemoryCopies::forgetWritable() {
    std::erase_if(copies_,
                  [&](const MemoryCopy& copy) { return regions_[copy.region].isWritable; });
}

}  // namespace vnpu::driver
