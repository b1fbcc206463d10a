// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworksTypes.h>

#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>

#include "sim/ndk/base/result.h"
#include "sim/ndk/compute/burst.h"
#include "sim/ndk/compute/compilation.h"
#include "sim/ndk/compute/event.h"
#include "sim/ndk/compute/execution.h"
#include "sim/ndk/compute/memory_description.h"
#include "sim/ndk/device/device.h"
#include "sim/ndk/memory/memory.h"
#include "sim/ndk/model/model.h"

// The opaque types of the interface are shared pointers to objects on the heap, so that a program
// may free a handle while other objects still need what is behind it. A device's handle is the
// element of the list of devices.

namespace vnpu::sim::ndk {

template <typename Opaque>
struct ObjectOf;
template <>
struct ObjectOf<ANeuralNetworksMemory> {
    using Type = Memory;
};
template <>
struct ObjectOf<ANeuralNetworksMemoryDesc> {
    using Type = MemoryDescription;
};
template <>
struct ObjectOf<ANeuralNetworksModel> {
    using Type = Model;
};
template <>
struct ObjectOf<ANeuralNetworksCompilation> {
    using Type = Compilation;
};
template <>
struct ObjectOf<ANeuralNetworksExecution> {
    using Type = Execution;
};
template <>
struct ObjectOf<ANeuralNetworksBurst> {
    using Type = Burst;
};
template <>
struct ObjectOf<ANeuralNetworksEvent> {
    using Type = Event;
};
template <>
struct ObjectOf<ANeuralNetworksDevice> {
    using Type = Device;
};

template <typename Opaque>
using Shared = std::shared_ptr<typename ObjectOf<Opaque>::Type>;

/// The object behind a handle that is not null.
template <typename Opaque>
const Shared<Opaque>& objectOf(const Opaque* handle) {
    return *reinterpret_cast<const Shared<Opaque>*>(handle);
}

/// A new handle, which freeHandle() ends.
template <typename Opaque>
Opaque* newHandle(Shared<Opaque> object) {
    return reinterpret_cast<Opaque*>(std::make_unique<Shared<Opaque>>(std::move(object)).release());
}

template <typename Opaque>
void freeHandle(Opaque* handle) {
    std::unique_ptr<Shared<Opaque>>(reinterpret_cast<Shared<Opaque>*>(handle)).reset();
}

/// Checks that no pointer is null, makes the call, logs a failure, and returns the code.
template <typename Call>
int answer(const char* function, std::initializer_list<const void*> pointers, const Call& call) {
    ResultCode code = ANEURALNETWORKS_NO_ERROR;
    try {
        Result<void> result;
        for (const void* pointer : pointers) {
            if (pointer == nullptr) {
                result = failed(ANEURALNETWORKS_UNEXPECTED_NULL, "an argument is null");
            }
        }
        if (result) {
            result = call();
        }
        if (!result) {
            code = result.error().code;
            logLine(fmt::format("{}: {}: {}", function, nameOf(code), result.error().reason));
        }
    } catch (const std::bad_alloc&) {
        code = ANEURALNETWORKS_OUT_OF_MEMORY;
        logLine(fmt::format("{}: no memory left", function));
    } catch (const std::exception& error) {
        code = ANEURALNETWORKS_OP_FAILED;
        logLine(fmt::format("{}: {}", function, error.what()));
    }
    return code;
}

/// As answer(), for a call that creates an object: sets `created` to its handle, or to null.
template <typename Opaque, typename Create>
int answerCreation(const char* function, std::initializer_list<const void*> pointers,
                   Opaque** created, const Create& create) {
    if (created != nullptr) {
        *created = nullptr;
    }
    return answer(function, pointers, [&]() -> Result<void> {
        if (created == nullptr) {
            return failed(ANEURALNETWORKS_UNEXPECTED_NULL, "no place for the new object");
        }
        VNPU_TRY_ASSIGN(Shared<Opaque> object, create());
        *created = newHandle<Opaque>(std::move(object));
        return {};
    });
}

}  // namespace vnpu::sim::ndk
