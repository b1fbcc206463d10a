// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace android::hardware::details {

/// Ends the process when the condition does not hold: a caller inside this process broke a
/// contract.
void check(bool condition);
void check(bool condition, const char* what);
[[noreturn]] void logAlwaysFatal(const char* message);
void logError(const std::string& message);

/// A pointer that takes eight bytes whatever the size of a pointer is, so that layouts are the same
/// for processes of 32 and of 64 bits.
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
