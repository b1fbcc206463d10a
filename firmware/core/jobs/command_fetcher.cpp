// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/command_fetcher.h"

#include <algorithm>
#include <cstring>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/local_memory.h"

namespace vnpu::fw {

void CommandFetcher::start(const Stream& stream) {
    stream_ = stream;
    buffer_ = port_.localMemory().subspan(kFetchOffset, kFetchBytes);
    begin_ = end_ = 0;
    offset_ = fetched_ = 0;
    blockBytes_ = kFirstBlockBytes;
}

hw::JobStatus CommandFetcher::next(hw::CommandView& view) {
    while (true) {
        hw::CommandReader reader(buffer_.subspan(begin_, end_ - begin_));
        if (reader.next(view)) {
            view.offset = offset_;
            begin_ += view.header->sizeBytes;
            offset_ += view.header->sizeBytes;
            return hw::JobStatus::kOk;
        }
        const hw::JobStatus status = reader.status();
        const bool isCut =
                status == hw::JobStatus::kOk || status == hw::JobStatus::kTruncatedStream;
        if (!isCut) {
            return status;
        }
        if (fetched_ == stream_.sizeBytes) {
            return hw::JobStatus::kTruncatedStream;
        }
        const hw::JobStatus fetch = fetchBlock();
        if (fetch != hw::JobStatus::kOk) {
            return fetch;
        }
    }
}

bool CommandFetcher::seek(std::uint32_t offset) {
    if (offset >= stream_.sizeBytes) {
        return false;
    }
    const std::uint32_t first = fetched_ - end_;  // stream offset of the start of the buffer
    if (offset >= first && offset <= fetched_) {
        begin_ = offset - first;
    } else {
        begin_ = end_ = 0;
        fetched_ = offset;
        blockBytes_ = kFirstBlockBytes;
    }
    offset_ = offset;
    return true;
}

hw::JobStatus CommandFetcher::fetchBlock() {
    port_.charge(kBlockCycles);
    const std::uint32_t bytes = std::min(blockBytes_, stream_.sizeBytes - fetched_);
    if (bytes > kFetchBytes - end_) {
        dropFramed();
    }
    const hw::JobStatus status = port_.readMemory(stream_.context, stream_.address + fetched_,
                                                  buffer_.subspan(end_, bytes));
    end_ += bytes;
    fetched_ += bytes;
    blockBytes_ = std::min(2 * blockBytes_, kBlockBytes);
    return status;
}

// Kept as long as there is room: a short loop then runs from the buffer.
void CommandFetcher::dropFramed() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
}

}  // namespace vnpu::fw
