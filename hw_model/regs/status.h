// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace vnpu::hw {

/// How a job ended, as the completion record and the engines' error registers tell it.
enum class JobStatus : std::uint32_t {
    kOk = 0,
    kBadOpcode = 1,
    kBadCommandSize = 2,
    kTruncatedStream = 3,
    kMisaligned = 4,
    kBadEngine = 5,
    kBadWait = 6,  // unknown engine, or a count that can never be reached
    kReservedNotZero = 7,
    kBadRegion = 8,  // region index not in the job's table
    kOutOfRegion = 9,
    kReadOnlyRegion = 10,
    kOutOfSram = 11,
    kOutOfAccumulator = 12,
    kBadOperand = 13,  // enumeration or geometry out of range
    kMmuFault = 14,
    kBusError = 15,
    kBadJob = 16,  // job descriptor itself is invalid
    kAborted = 17,
    kEngineHang = 18,
    kNoRoom = 19,       // an output of an operator does not fit its memory
    kLoopTimeout = 20,  // a loop went on for longer than the job allows
    kEccError = 21,     // an engine read a word with two flipped bits
};

/// Name for logs ("out-of-region").
std::string_view jobStatusName(JobStatus status);

}  // namespace vnpu::hw
