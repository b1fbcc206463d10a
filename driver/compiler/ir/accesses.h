// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "hw_model/regs/check.h"
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

/// The accesses of one command, in place, because a search for plans makes them by the million.
class AccessList {
  public:
    AccessList() = default;
    AccessList(std::initializer_list<Access> accesses) {
        for (const Access& access : accesses) {
            push_back(access);
        }
    }

    /// For at most as many as a command has operands.
    void push_back(const Access& access) {
        VNPU_CHECK(size_ < list_.size(), "no command has more operands");
        list_[size_++] = access;
    }

    const Access* begin() const { return list_.data(); }
    const Access* end() const { return list_.data() + size_; }
    std::size_t size() const { return size_; }
    const Access& operator[](std::size_t index) const { return list_[index]; }

  private:
    std::array<Access, hw::kMaxVecOperands> list_;
    std::size_t size_ = 0;
};

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
