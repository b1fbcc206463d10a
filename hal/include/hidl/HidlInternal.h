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
    hidl_pointer() = default;
    hidl_pointer(T* pointer) : address_(reinterpret_cast<uintptr_t>(pointer)) {}
    operator T*() const { return reinterpret_cast<T*>(static_cast<uintptr_t>(address_)); }
    T* operator->() const { return *this; }

  private:
    uint64_t address_ = 0;
};

}  // namespace android::hardware::details
