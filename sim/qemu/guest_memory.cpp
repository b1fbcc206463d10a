// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/guest_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kMostFileOffset = std::numeric_limits<off_t>::max();

/// Moves bytes between a file and memory; whether all of them were.
template <typename Byte, typename Call>
bool transfer(Call call, int file, Byte* data, std::uint64_t sizeBytes, std::uint64_t offset) {
    while (sizeBytes != 0) {
        const ssize_t moved = call(file, data, sizeBytes, static_cast<off_t>(offset));
        if (moved < 0 && errno == EINTR) {
            continue;
        }
        if (moved <= 0) {
            return false;
        }
        data += moved;
        offset += static_cast<std::uint64_t>(moved);
        sizeBytes -= static_cast<std::uint64_t>(moved);
    }
    return true;
}

}  // namespace

GuestMemory::~GuestMemory() {
    clear();
}

void GuestMemory::clear() {
    for (const Region& region : regions_) {
        if (region.mapping != nullptr) {
            munmap(region.mapping, region.sizeBytes);
        }
    }
    regions_.clear();
}

std::string GuestMemory::whyUnusable(const GuestRegion& region) {
    struct stat file {};
    if (fstat(region.file.get(), &file) != 0 || !S_ISREG(file.st_mode)) {
        return "its descriptor is not that of a file";
    }
    if (region.sizeBytes == 0 || region.sizeBytes - 1 > ~std::uint64_t{0} - region.address) {
        return "its end is not an address";
    }
    if (region.offset > kMostFileOffset || region.sizeBytes > kMostFileOffset - region.offset) {
        return "its offset is not that of a file";
    }
    return "";
}

std::string GuestMemory::setRegions(std::vector<GuestRegion> regions) {
    clear();
    std::string refused;
    for (GuestRegion& region : regions) {
        if (const std::string why = whyUnusable(region); !why.empty()) {
            refused +=
                    fmt::format("{}guest memory of {:#x} bytes at {:#x}: {}",
                                refused.empty() ? "" : "; ", region.sizeBytes, region.address, why);
            continue;
        }
        Region kept{std::move(region)};
        struct stat file {};
        const int seals = fcntl(kept.file.get(), F_GET_SEALS);
        if (seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(kept.file.get(), &file) == 0 &&
            kept.offset + kept.sizeBytes <= static_cast<std::uint64_t>(file.st_size)) {
            void* const mapping = mmap(nullptr, kept.sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                       kept.file.get(), static_cast<off_t>(kept.offset));
            // Without a mapping (such as of an offset within a page) the region is still usable.
            kept.mapping = mapping == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapping);
        }
        regions_.push_back(std::move(kept));
    }
    return refused;
}

const GuestMemory::Region* GuestMemory::find(std::uint64_t address) const {
    const auto found = std::find_if(regions_.begin(), regions_.end(), [&](const Region& region) {
        return address >= region.address && address - region.address < region.sizeBytes;
    });
    return found == regions_.end() ? nullptr : &*found;
}

template <typename Access>
bool GuestMemory::forParts(std::uint64_t address, std::uint64_t sizeBytes,
                           const Access& access) const {
    std::uint64_t done = 0;
    while (done < sizeBytes) {
        const bool isPastLastAddress = address > ~done;
        const Region* const region = isPastLastAddress ? nullptr : find(address + done);
        if (region == nullptr) {
            return false;
        }
        const std::uint64_t start = address + done - region->address;
        const std::uint64_t bytes = std::min(sizeBytes - done, region->sizeBytes - start);
        if (!access(*region, start, done, bytes)) {
            return false;
        }
        done += bytes;
    }
    return true;
}

bool GuestMemory::read(std::uint64_t address, std::span<std::byte> data) const {
    return forParts(address, data.size(),
                    [&](const Region& region, std::uint64_t start, std::uint64_t done,
                        std::uint64_t bytes) {
                        std::byte* const into = data.data() + done;
                        if (region.mapping != nullptr) {
                            std::memcpy(into, region.mapping + start, bytes);
                            return true;
                        }
                        return transfer(pread, region.file.get(), into, bytes,
                                        region.offset + start);
                    });
}

bool GuestMemory::write(std::uint64_t address, std::span<const std::byte> data) const {
    return forParts(address, data.size(),
                    [&](const Region& region, std::uint64_t start, std::uint64_t done,
                        std::uint64_t bytes) {
                        const std::byte* const from = data.data() + done;
                        if (region.mapping != nullptr) {
                            std::memcpy(region.mapping + start, from, bytes);
                            return true;
                        }
                        // A write beyond the end would make a file that has become shorter long
                        // again.
                        struct stat file {};
                        const std::uint64_t offset = region.offset + start;
                        return fstat(region.file.get(), &file) == 0 &&
                               offset + bytes <= static_cast<std::uint64_t>(file.st_size) &&
                               transfer(pwrite, region.file.get(), from, bytes, offset);
                    });
}

std::span<std::byte> GuestMemory::map(std::uint64_t address) const {
    const Region* const region = find(address);
    if (region == nullptr || region->mapping == nullptr) {
        return {};
    }
    const std::uint64_t start = address - region->address;
    return {region->mapping + start, region->sizeBytes - start};
}

std::vector<GuestMemory::Range> GuestMemory::ranges() const {
    std::vector<Range> ranges;
    for (const Region& region : regions_) {
        ranges.push_back({region.address, region.sizeBytes});
    }
    return ranges;
}

}  // namespace vnpu::sim
