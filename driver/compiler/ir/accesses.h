// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// Bytes [begin, end) of a memory space that a command reads or writes. Strided work counts with
/// all bytes that it spans.
struct Access {
    std::uint16_t space = hw::kSpaceSram;  // a region, or kSpaceSram
    bool isWrite = false;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

using AccessList = std::vector<Access>;

// The accesses of each command outside of its engine. They do not include the accumulators, which
// only the MAC array uses.
AccessList accessesOf(const hw::DmaTransfer& work);
AccessList accessesOf(const hw::DmaFill& work);
AccessList accessesOf(const hw::MacConv& work);
AccessList accessesOf(const hw::VecPool& work);
AccessList accessesOf(const hw::VecEltwise& work);
AccessList accessesOf(const hw::VecUnary& work);
AccessList accessesOf(const hw::VecSoftmax& work);
AccessList accessesOf(const hw::VecReduce& work);
AccessList accessesOf(const hw::VecOperator& work);

}  // namespace vnpu::driver
