// SPDX-License-Identifier: Apache-2.0
#include <hidl/HidlInternal.h>

#include <android/log.h>

namespace android::hardware::details {
namespace {
constexpr const char* kLogTag = "vnpu.hal";
}  // namespace

void check(bool condition) {
    check(condition, "a condition that must hold does not");
}

void check(bool condition, const char* what) {
    if (!condition) {
        logAlwaysFatal(what);
    }
}

void logAlwaysFatal(const char* message) {
    __android_log_assert(nullptr, kLogTag, "%s", message);
}

void logError(const std::string& message) {
    __android_log_write(ANDROID_LOG_ERROR, kLogTag, message.c_str());
}

}  // namespace android::hardware::details
