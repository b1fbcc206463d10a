// SPDX-License-Identifier: Apache-2.0
// What leaves out candidates for the tiles of a node because others are better.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace vnpu::driver {

/// Some of the best candidates so far, to leave out tiles that cannot be better than one of them.
class Superiors {
  public:
    /// Whether one of them costs at most as much, takes at most as many bytes and has buffers that
    /// are at most as large.
    bool haveBetter(double cycles, std::uint64_t bytes, std::uint64_t largest) {
        for (std::size_t i = 0; i < count_; ++i) {
            const Point& point = points_[i];
            if (point.cycles <= cycles && point.bytes <= bytes && point.largest <= largest) {
                std::swap(points_[i], points_[0]);  // neighboring tiles have the same superior
                return true;
            }
        }
        return false;
    }

    /// In place of the oldest, if there is no room.
    void add(double cycles, std::uint64_t bytes, std::uint64_t largest) {
        if (haveBetter(cycles, bytes, largest)) {
            return;
        }
        count_ = std::min(count_ + 1, points_.size());
        std::move_backward(points_.begin(),
                           points_.begin() + static_cast<std::ptrdiff_t>(count_) - 1,
                           points_.begin() + static_cast<std::ptrdiff_t>(count_));
        points_[0] = {cycles, bytes, largest};
    }

  private:
    struct Point {
        double cycles = 0;
        std::uint64_t bytes = 0;
        std::uint64_t largest = 0;
    };
    std::array<Point, 8> points_;  // chosen: more take longer than they save
    std::size_t count_ = 0;
};

/// The least cycles of all candidates by a size of theirs, in classes of sizes: finds most of those
/// that a smaller one beats without sorting them.
class LeastBySize {
  public:
    void add(std::uint64_t size, double cycles) {
        double& least = least_[classOf(size)];
        least = std::min(least, cycles);
    }

    /// Once all are added.
    void finish() {
        for (std::size_t i = 1; i < least_.size(); ++i) {
            least_[i] = std::min(least_[i], least_[i - 1]);
        }
    }

    /// Whether a smaller candidate is known to cost less. One of the same class is not found.
    bool haveBetter(std::uint64_t size, double cycles) const {
        const std::size_t sizeClass = classOf(size);
        return sizeClass > 0 && least_[sizeClass - 1] < cycles;
    }

  private:
    static constexpr std::size_t kSteps = 8;  // classes from a power of two to the next

    static std::size_t classOf(std::uint64_t size) {
        const std::size_t exponent = std::bit_width(size | kSteps) - std::bit_width(kSteps);
        return exponent * kSteps + (size >> exponent);
    }

    static constexpr std::array<double, 64 * kSteps> kNone = [] {
        std::array<double, 64 * kSteps> none{};
        none.fill(std::numeric_limits<double>::infinity());
        return none;
    }();
    std::array<double, 64 * kSteps> least_ = kNone;
};

}  // namespace vnpu::driver
