// SPDX-License-Identifier: Apache-2.0
#include <android/NeuralNetworks.h>
#include <sys/mman.h>

#include <span>

#include "sim/ndk/c_interface/handles.h"
#include "sim/ndk/memory/memory_copy.h"

using namespace vnpu::sim::ndk;  // NOLINT(google-build-using-namespace): only C functions follow

int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                       ANeuralNetworksMemory** memory) {
    return answerCreation(__func__, {}, memory, [&]() -> Result<SharedMemory> {
        if (size == 0 || protect == PROT_NONE || (protect & ~(PROT_READ | PROT_WRITE)) != 0) {
            return badData("{} bytes with protection {:#x}, expected PROT_READ or PROT_WRITE", size,
                           protect);
        }
        return Memory::ofFile(
                {.fd = fd, .protection = protect, .offsetBytes = offset, .sizeBytes = size});
    });
}

int ANeuralNetworksMemory_createFromAHardwareBuffer(const AHardwareBuffer* ahwb,
                                                    ANeuralNetworksMemory** memory) {
    return answerCreation(__func__, {ahwb}, memory,
                          [&] { return Memory::ofHardwareBuffer(*ahwb); });
}

void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory) {
    freeHandle(memory);
}

int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc) {
    return answerCreation(__func__, {}, desc, []() -> Result<std::shared_ptr<MemoryDescription>> {
        return std::make_shared<MemoryDescription>();
    });
}

void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc) {
    freeHandle(desc);
}

int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                           const ANeuralNetworksCompilation* compilation,
                                           uint32_t index, float frequency) {
    return answer(__func__, {desc, compilation}, [&] {
        return objectOf(desc)->addRole(objectOf(compilation), true, index, frequency);
    });
}

int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                            const ANeuralNetworksCompilation* compilation,
                                            uint32_t index, float frequency) {
    return answer(__func__, {desc, compilation}, [&] {
        return objectOf(desc)->addRole(objectOf(compilation), false, index, frequency);
    });
}

int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                            const uint32_t* dimensions) {
    const void* const needed = rank == 0 ? static_cast<const void*>(desc) : dimensions;
    return answer(__func__, {desc, needed}, [&] {
        const std::span sizes(dimensions, rank);
        return objectOf(desc)->setDimensions(Dimensions(sizes.begin(), sizes.end()));
    });
}

int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc) {
    return answer(__func__, {desc}, [&] { return objectOf(desc)->finish(); });
}

int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                         ANeuralNetworksMemory** memory) {
    return answerCreation(__func__, {desc}, memory, [&] { return objectOf(desc)->allocate(); });
}

int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst) {
    return answer(__func__, {src, dst}, [&] { return copyMemory(*objectOf(src), *objectOf(dst)); });
}
