// SPDX-License-Identifier: Apache-2.0
// Part of every program that is built with ThreadSanitizer.

/// RefBase counts its references in libutils, which is not built for ThreadSanitizer: it does not
/// see that who drops the last one comes after all who dropped one before. KJ fills a static table
/// when the first of several loops starts, likewise unseen.
extern "C" const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name
extern "C" const char* __tsan_default_suppressions() {
    return "race:android::RefBase::decStrong\n"
           "race:kj::_::CidrRange::CidrRange\n";
}
