// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/fake_memory.h"

#include <cstring>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver::test {

using hw::PageTableEntry;

FakeMemory::OwnedPages FakeMemory::zeroedPages(std::uint64_t sizeBytes) {
    return OwnedPages(new (std::align_val_t{hw::kPageBytes}) std::byte[sizeBytes]());
}

void FakeMemory::addResident(std::uint64_t sizeBytes) {
    OwnedPages owned = zeroedPages(sizeBytes);
    std::byte* base = owned.get();
    std::memset(base, 0xAA, sizeBytes);
    blocks_[kResidentBase] = Block{base, sizeBytes, std::move(owned)};
}

Result<DmaBuffer> FakeMemory::allocate(std::uint64_t sizeBytes) {
    if (sizeBytes > capacityBytes_) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, "fake memory is smaller than that");
    }
    if (allocatedBytes_ + sizeBytes > capacityBytes_) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, "fake memory is used up");
    }
    OwnedPages owned = zeroedPages(sizeBytes);
    const DmaBuffer buffer{owned.get(), nextBusAddress(sizeBytes), sizeBytes};
    blocks_[buffer.busAddress] = Block{buffer.host, sizeBytes, std::move(owned)};
    allocatedBytes_ += sizeBytes;
    return buffer;
}

void FakeMemory::free(const DmaBuffer& buffer) {
    allocatedBytes_ -= buffer.sizeBytes;
    dropBlock(buffer.busAddress, buffer.sizeBytes);
}

std::uint64_t FakeMemory::map(std::byte* pages, std::uint64_t sizeBytes) {
    const std::uint64_t busAddress = nextBusAddress(sizeBytes);
    blocks_[busAddress] = Block{pages, sizeBytes, nullptr};
    ++mappedBlocks_;
    return busAddress;
}

void FakeMemory::unmap(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    --mappedBlocks_;
    dropBlock(busAddress, sizeBytes);
}

std::byte* FakeMemory::atBus(std::uint64_t busAddress, std::uint64_t sizeBytes) const {
    auto found = blocks_.upper_bound(busAddress);
    if (found == blocks_.begin()) {
        return nullptr;
    }
    --found;
    const std::uint64_t offset = busAddress - found->first;
    const bool isInside =
            offset <= found->second.sizeBytes && sizeBytes <= found->second.sizeBytes - offset;
    return isInside ? found->second.host + offset : nullptr;
}

void FakeMemory::setRoot(std::uint32_t context, std::uint64_t root) {
    roots_[context] = root;
}

void FakeMemory::clearRoot(std::uint32_t context) {
    roots_.erase(context);
    invalidate(context);
}

void FakeMemory::invalidate(std::uint32_t context) {
    std::erase_if(tlb_, [&](const auto& entry) { return entry.first.first == context; });
}

std::byte* FakeMemory::translate(std::uint32_t context, std::uint64_t address, bool isWrite) {
    const auto key = std::make_pair(context, address / hw::kPageBytes);
    auto found = tlb_.find(key);
    if (found == tlb_.end()) {
        const auto entry = walk(context, address);
        if (!entry) {
            return nullptr;
        }
        found = tlb_.emplace(key, TlbEntry{PageTableEntry::address(*entry),
                                           (*entry & PageTableEntry::kWritable) != 0})
                        .first;
    }
    if (isWrite && !found->second.isWritable) {
        return nullptr;
    }
    return atBus(found->second.busPage + address % hw::kPageBytes, 1);
}

std::optional<std::uint64_t> FakeMemory::walk(std::uint32_t context, std::uint64_t address) {
    const auto root = roots_.find(context);
    if (root == roots_.end() || address >= hw::kVirtualAddressLimit) {
        return std::nullopt;
    }
    std::uint64_t table = root->second;
    for (std::uint32_t level = 0; level < hw::kTableLevels; ++level) {
        const std::uint32_t index = hw::tableIndex(address, level);
        const std::byte* at = atBus(table + index * sizeof(std::uint64_t), sizeof(std::uint64_t));
        std::uint64_t entry = 0;
        if (at == nullptr) {
            return std::nullopt;
        }
        std::memcpy(&entry, at, sizeof(entry));
        if ((entry & PageTableEntry::kValid) == 0) {
            return std::nullopt;
        }
        if (level + 1 == hw::kTableLevels) {
            if ((entry & PageTableEntry::kLarge) != 0) {
                ++largePageHits_;
                checkLarge(table, index);
            }
            return entry;
        }
        table = PageTableEntry::address(entry);
    }
    return std::nullopt;
}

void FakeMemory::checkLarge(std::uint64_t table, std::uint32_t index) {
    const std::uint32_t first = index / 16 * 16;
    std::uint64_t start = 0;
    for (std::uint32_t i = 0; i < 16; ++i) {
        std::uint64_t entry = 0;
        std::memcpy(&entry, atBus(table + (first + i) * sizeof(entry), sizeof(entry)),
                    sizeof(entry));
        if (i == 0) {
            start = PageTableEntry::address(entry);
        }
        const bool isContiguous = PageTableEntry::address(entry) == start + i * hw::kPageBytes;
        const bool isMarked = (entry & PageTableEntry::kLarge) != 0;
        if (!isContiguous || !isMarked || start % hw::kLargePageBytes != 0) {
            ++badLargePages_;
            return;
        }
    }
}

int FakeMemory::tlbEntriesInto(std::uint64_t busAddress, std::uint64_t sizeBytes) const {
    int entries = 0;
    for (const auto& [key, entry] : tlb_) {
        entries += entry.busPage >= busAddress && entry.busPage < busAddress + sizeBytes ? 1 : 0;
    }
    return entries;
}

void FakeMemory::dropBlock(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    staleTlbEntries_ += tlbEntriesInto(busAddress, sizeBytes);
    blocks_.erase(busAddress);
}

std::uint64_t FakeMemory::nextBusAddress(std::uint64_t sizeBytes) {
    // A page separates blocks, so that an access past the end of one is detected. Every second
    // start is not 64 KiB-aligned.
    const std::uint64_t address = nextBus_;
    nextBus_ += (sizeBytes + hw::kPageBytes - 1) / hw::kPageBytes * hw::kPageBytes + hw::kPageBytes;
    return address;
}

}  // namespace vnpu::driver::test
