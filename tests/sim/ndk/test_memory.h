// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "tests/sim/ndk/test_model.h"

namespace vnpu::test {

/// A file in memory, mapped by the test itself.
class MappedFile {
  public:
    explicit MappedFile(std::size_t bytes)
        : bytes_(bytes), file_(::memfd_create("test", MFD_CLOEXEC)) {
        REQUIRE(::ftruncate(file_, static_cast<off_t>(bytes)) == 0);
        data_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        REQUIRE(data_ != MAP_FAILED);
    }
    ~MappedFile() {
        ::munmap(data_, bytes_);
        ::close(file_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    float* floats() const { return static_cast<float*>(data_); }
    std::vector<float> read(std::size_t from, std::size_t count) const {
        return {floats() + from, floats() + from + count};
    }
    OwnedMemory memory(std::size_t offset, std::size_t bytes) const {
        OwnedMemory memory;
        REQUIRE(ANeuralNetworksMemory_createFromFd(bytes, PROT_READ | PROT_WRITE, file_, offset,
                                                   memory.place()) == ANEURALNETWORKS_NO_ERROR);
        return memory;
    }

  private:
    std::size_t bytes_;
    int file_;
    void* data_;
};

/// A memory for output 0 of one compilation and input 0 of another.
inline OwnedMemory between(const OwnedCompilation& writer, const OwnedCompilation& reader) {
    OwnedDesc desc;
    OwnedMemory memory;
    REQUIRE(ANeuralNetworksMemoryDesc_create(desc.place()) == ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksMemoryDesc_addOutputRole(desc.get(), writer.get(), 0, 1.0F) ==
            ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksMemoryDesc_addInputRole(desc.get(), reader.get(), 0, 1.0F) ==
            ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksMemoryDesc_finish(desc.get()) == ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksMemory_createFromDesc(desc.get(), memory.place()) ==
            ANEURALNETWORKS_NO_ERROR);
    return memory;
}

inline OwnedExecution executionOf(const OwnedCompilation& compilation) {
    OwnedExecution execution;
    REQUIRE(ANeuralNetworksExecution_create(compilation.get(), execution.place()) ==
            ANEURALNETWORKS_NO_ERROR);
    return execution;
}

}  // namespace vnpu::test
