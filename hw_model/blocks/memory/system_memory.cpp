// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/system_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/memory/resident_memory.h"

namespace vnpu::hw {

namespace {

using Word = std::uint32_t;

/// Whether the range is one or two whole words, which are copied one by one.
bool isWords(const std::byte* memory, std::uint64_t count) {
    constexpr std::uint64_t kMostWords = 2;
    return count <= kMostWords * sizeof(Word) && count % sizeof(Word) == 0 &&
           reinterpret_cast<std::uintptr_t>(memory) % sizeof(Word) == 0;
}

std::atomic_ref<Word> wordAt(const std::byte* memory) {
    return std::atomic_ref<Word>(*reinterpret_cast<Word*>(const_cast<std::byte*>(memory)));
}

}  // namespace

void SystemMemory::copyIn(std::byte* own, const std::byte* memory, std::uint64_t bytes) {
    if (!isWords(memory, bytes)) {
        std::memcpy(own, memory, bytes);
        return;
    }
    for (std::uint64_t i = 0; i < bytes; i += sizeof(Word)) {
        const Word word = wordAt(memory + i).load(std::memory_order_acquire);
        std::memcpy(own + i, &word, sizeof(word));
    }
}

void SystemMemory::copyOut(std::byte* memory, const std::byte* own, std::uint64_t bytes) {
    if (!isWords(memory, bytes)) {
        std::memcpy(memory, own, bytes);
        return;
    }
    for (std::uint64_t i = 0; i < bytes; i += sizeof(Word)) {
        Word word = 0;
        std::memcpy(&word, own + i, sizeof(word));
        wordAt(memory + i).store(word, std::memory_order_release);
    }
}

bool SystemMemory::read(std::uint64_t busAddress, void* destination, std::uint64_t bytes) {
    work_.finishFor({DataPlace::kBus, false, busAddress, busAddress + bytes, {}});
    return access(busAddress, static_cast<std::byte*>(destination), bytes, false);
}

bool SystemMemory::write(std::uint64_t busAddress, const void* source, std::uint64_t bytes) {
    work_.finish();
    // The generic payload has one pointer for both directions; a write command never stores through
    // it.
    return access(busAddress, static_cast<std::byte*>(const_cast<void*>(source)), bytes, true);
}

bool SystemMemory::peek(std::uint64_t busAddress, void* destination, std::uint64_t bytes) {
    if (resident_.holds(busAddress, bytes)) {
        std::memcpy(destination, resident_.data() + (busAddress - ResidentMemory::kBase), bytes);
        return true;
    }
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(busAddress);
    payload.set_data_ptr(static_cast<unsigned char*>(destination));
    payload.set_data_length(static_cast<unsigned>(bytes));
    return socket_->transport_dbg(payload) == bytes;
}

void SystemMemory::invalidate(std::uint64_t first, std::uint64_t last) {
    work_.finish();
    std::erase_if(windows_, [&](const Window& window) {
        return window.first <= last && window.last >= first;
    });
    lastWindow_ = 0;
}

std::byte* SystemMemory::reach(std::uint64_t busAddress, bool write, std::uint64_t& bytes) {
    if (resident_.holds(busAddress, 1)) {
        const std::uint64_t offset = busAddress - ResidentMemory::kBase;
        bytes = std::min(bytes, resident_.sizeBytes() - offset);
        return resident_.data() + offset;
    }
    const Window* const window = find(busAddress, write);
    if (window == nullptr) {
        return nullptr;
    }
    bytes = std::min(bytes - 1, window->last - busAddress) + 1;
    return window->bytes + (busAddress - window->first);
}

const SystemMemory::Window* SystemMemory::find(std::uint64_t busAddress, bool write) {
    const auto fits = [&](const Window& window) {
        return busAddress >= window.first && busAddress <= window.last &&
               (write ? window.writable : window.readable);
    };
    if (lastWindow_ < windows_.size() && fits(windows_[lastWindow_])) {
        return &windows_[lastWindow_];
    }
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        if (fits(windows_[i])) {
            lastWindow_ = i;
            return &windows_[i];
        }
    }
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(busAddress);
    tlm::tlm_dmi grant;
    if (!socket_->get_direct_mem_ptr(payload, grant) || grant.get_dmi_ptr() == nullptr ||
        busAddress < grant.get_start_address() || busAddress > grant.get_end_address()) {
        return nullptr;
    }
    windows_.push_back({grant.get_start_address(), grant.get_end_address(),
                        reinterpret_cast<std::byte*>(grant.get_dmi_ptr()), grant.is_read_allowed(),
                        grant.is_write_allowed()});
    lastWindow_ = windows_.size() - 1;
    return fits(windows_.back()) ? &windows_.back() : nullptr;
}

bool SystemMemory::transport(std::uint64_t busAddress, void* bytes, std::uint64_t count,
                             bool write) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(busAddress);
    payload.set_data_ptr(static_cast<unsigned char*>(bytes));
    payload.set_data_length(static_cast<unsigned>(count));
    payload.set_streaming_width(static_cast<unsigned>(count));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket_->b_transport(payload, delay);
    return payload.is_response_ok();
}

bool SystemMemory::access(std::uint64_t busAddress, std::byte* bytes, std::uint64_t count,
                          bool write) {
    // chosen: a fallback transaction never crosses a page, so targets need not split it
    constexpr std::uint64_t kFallbackBytes = 4096;
    while (count > 0) {
        std::uint64_t part = count;
        if (std::byte* const target = reach(busAddress, write, part)) {
            if (write) {
                copyOut(target, bytes, part);
            } else {
                copyIn(bytes, target, part);
            }
        } else {
            part = std::min(count, kFallbackBytes - busAddress % kFallbackBytes);
            if (!transport(busAddress, bytes, part, write)) {
                return false;
            }
        }
        busAddress += part;
        bytes += part;
        count -= part;
    }
    return true;
}

}  // namespace vnpu::hw
