// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/bank_load.h"

#include <algorithm>

#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// Bytes between the array and SRAM: the input once for every fold of the columns, depthwise once
/// for every channel; the filter once for every block; the results once.
double trafficOf(const hw::MacConv& work, const DeviceInfo& device, std::size_t access,
                 const Access& range) {
    enum : std::size_t { kInput, kFilter, kOutput };
    const bool isDepthwise = (work.flags & hw::kMacDepthwise) != 0;
    const double pixels = static_cast<double>(work.outputHeight) * work.outputWidth;
    const double products = static_cast<double>(work.filterHeight) * work.filterWidth *
                            (isDepthwise ? 1 : work.inputChannels);
    const hw::MacBlocks blocks = hw::blocksOf(work);
    const std::uint32_t ofBlock = blocks.channels > 1 ? work.blockChannels : work.outputChannels;
    const double passes =
            isDepthwise ? work.outputChannels
                        : static_cast<double>(blocks.channels) *
                                  static_cast<double>(hw::divideUp(ofBlock, device.macColumns));
    switch (access) {
        case kInput:
            return pixels * products * passes * hw::elementBytes(work.inputType);
        case kFilter:
            return products * work.outputChannels * blocks.rows * blocks.columns *
                   hw::elementBytes(work.filterType);
        case kOutput:
            if ((work.flags & hw::kMacDrain) != 0) {
                return pixels * work.outputChannels * hw::elementBytes(work.outputType);
            }
            [[fallthrough]];
        default:
            return static_cast<double>(range.end - range.begin);
    }
}

/// Of all rows of a transfer or fill, without the gaps between them.
template <typename Work>
double rowTraffic(const Work& work) {
    return static_cast<double>(work.rowBytes) * work.counts[0] * work.counts[1] * work.counts[2];
}

double trafficOf(const hw::DmaTransfer& work, const DeviceInfo& /*device*/, std::size_t /*access*/,
                 const Access& /*range*/) {
    return rowTraffic(work);
}

double trafficOf(const hw::DmaFill& work, const DeviceInfo& /*device*/, std::size_t /*access*/,
                 const Access& /*range*/) {
    return rowTraffic(work);
}

template <typename Work>
double trafficOf(const Work& /*work*/, const DeviceInfo& /*device*/, std::size_t /*access*/,
                 const Access& range) {
    return static_cast<double>(range.end - range.begin);
}

}  // namespace

BankLoad::BankLoad(const DeviceInfo& device)
    : device_(device), bankBytes_(static_cast<double>(device.sramBytes) / device.sramBanks) {
    for (Running& running : running_) {
        running.share.resize(device.sramBanks, 0);
    }
}

double BankLoad::begin(const ListedCommand& command, double start, double cycles) {
    std::size_t place = hw::engineIndex(command.engine);
    if (command.engine == hw::Engine::kMac) {
        isOdd_ = !isOdd_;
        place = isOdd_ ? hw::kEngineCount : place;
    }
    Running& self = running_[place];
    std::fill(self.share.begin(), self.share.end(), 0.0);
    const AccessList accesses = accessesOf(command.payload);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        if (accesses[i].space == hw::kSpaceSram) {
            const double bytes = std::visit(
                    [&](const auto& work) { return trafficOf(work, device_, i, accesses[i]); },
                    command.payload);
            addTraffic(accesses[i], bytes, std::max(cycles, 1.0), self.share);
        }
    }
    for (double& share : self.share) {
        share = std::min(share, 1.0);
    }
    const double stall = stallCycles(self, start, cycles);
    self.finish = start + cycles + stall;
    return stall;
}

double BankLoad::loadAt(const Running& self, double time) const {
    double load = 1;
    for (std::size_t bank = 0; bank < self.share.size(); ++bank) {
        if (self.share[bank] == 0) {
            continue;
        }
        double sum = self.share[bank];
        for (const Running& other : running_) {
            sum += &other != &self && other.finish > time ? other.share[bank] : 0;
        }
        load = std::max(load, sum);
    }
    return load;
}

double BankLoad::stallCycles(const Running& self, double start, double cycles) const {
    const double end = start + cycles;
    double stall = 0;
    for (double time = start; time < end;) {
        double next = end;
        for (const Running& other : running_) {
            if (&other != &self && other.finish > time) {
                next = std::min(next, other.finish);
            }
        }
        stall += (loadAt(self, time) - 1) * (next - time);
        time = next;
    }
    return stall;
}

void BankLoad::addTraffic(const Access& access, double bytes, double cycles,
                          std::vector<double>& share) {
    const double demand = bytes / (device_.sramPortBytes * cycles);
    const auto begin = static_cast<double>(access.begin);
    const auto end = static_cast<double>(access.end);
    for (auto bank = static_cast<std::size_t>(begin / bankBytes_);
         bank < share.size() && static_cast<double>(bank) * bankBytes_ < end; ++bank) {
        const double first = static_cast<double>(bank) * bankBytes_;
        const double inBank = std::min(end, first + bankBytes_) - std::max(begin, first);
        share[bank] += demand * inBank / (end - begin);
    }
}

}  // namespace vnpu::driver
