// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

namespace vnpu::hw {

class Device;

/// The device's view of system memory by bus address. Uses direct memory pointers where the target
/// grants them and b_transport elsewhere; takes no simulated time (memory_arbiter.h accounts for
/// that). Simulation thread.
class SystemMemory {
  public:
    explicit SystemMemory(tlm_utils::simple_initiator_socket<Device>& socket) : socket_(socket) {}

    /// Copies bytes; false where the bus answers with an error. Part of the bytes may then have
    /// been copied.
    bool read(std::uint64_t busAddress, void* destination, std::uint64_t bytes);
    bool write(std::uint64_t busAddress, const void* source, std::uint64_t bytes);

    /// Forgets direct pointers into the range (the target's invalidation call).
    void invalidate(std::uint64_t first, std::uint64_t last);

  private:
    struct Window {
        std::uint64_t first;
        std::uint64_t last;
        std::byte* bytes;
        bool readable;
        bool writable;
    };

    const Window* find(std::uint64_t busAddress, bool write);
    bool transport(std::uint64_t busAddress, void* bytes, std::uint64_t count, bool write);
    bool access(std::uint64_t busAddress, std::byte* bytes, std::uint64_t count, bool write);

    tlm_utils::simple_initiator_socket<Device>& socket_;
    std::vector<Window> windows_;
    std::size_t lastWindow_ = 0;
};

}  // namespace vnpu::hw
