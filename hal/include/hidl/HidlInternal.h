// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace android::hardware::details {

/// Aborts the process if the condition does not hold, i.e. if a caller in this process broke a
/// contract.
void check(bool condition);
void check(bool condition, const char* what);
[[noreturn]] void logAlwaysFatal(const char* message);
void logError(const std::string& message);

/// A pointer that always takes eight bytes, so that 32-bit and 64-bit processes share layouts.
template <typename T>
class hidl_pointer {
  public:
    hidl_pointer(T* target = nullptr) : allBits(0) { pointer = target; }
    operator T*() const { return pointer; }
    T* operator->() const { return pointer; }

  private:
    union {
        uint64_t allBits;
        T* pointer;
    };
};

}  // namespace android::hardware::details
