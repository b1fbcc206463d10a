// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace vnpu::hal {

/// Limits on the resources that another process may use. A call beyond a limit fails with
/// EX_TRANSACTION_FAILED. A peer that breaks the protocol or never reads its data is disconnected.
struct RpcLimits {
    /// The encoding allows no more: a list of Cap'n Proto has fewer than 2^29 elements.
    static constexpr size_t kMostMessageBytes = (size_t{1} << 29) - 1;

    // Sent or received; both ends need the room. chosen: the constants of the largest models that
    // are not in pools, 256 MB, with room to spare
    size_t messageBytes = size_t{320} << 20;
    // chosen: a request's pools, or a compilation's caches; the kernel takes 253 at once
    size_t descriptorsPerMessage = 128;
    size_t objectsPerMessage = 1024;  // chosen: the prepared models of a buffer's roles

    // Per connection.
    size_t callsPerConnection = 64;  // chosen: threads that one process keeps waiting
    // chosen: many times the answers of all its calls, for a peer that does not read
    size_t unreadBytes = size_t{64} << 20;

    // Per user, over all its processes.
    size_t connections = 64;                   // chosen
    size_t calls = 256;                        // chosen: threads of the service
    size_t bytesUnderWay = size_t{640} << 20;  // chosen: arguments of all its calls
    size_t objects = 4096;      // chosen: prepared models, buffers, bursts, fences' callbacks
    size_t references = 4096;   // chosen: callbacks of its running calls
    size_t descriptors = 4096;  // chosen: sent to it and not yet closed, such as fences
};

}  // namespace vnpu::hal
