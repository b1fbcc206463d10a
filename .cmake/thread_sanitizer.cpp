// SPDX-License-Identifier: Apache-2.0
// Part of every program that is built with ThreadSanitizer.

/// RefBase counts its references in libutils, which is not built for ThreadSanitizer: it does not
/// see that who drops the last one comes after all who dropped one before, be it that RefBase
/// deletes by itself, or that what a death recipient shares outlives it and goes later. KJ fills a
/// static table when the first of several loops starts, likewise unseen.
extern "C" const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name
extern "C" const char* __tsan_default_suppressions() {
    return "race:android::RefBase::decStrong\n"
           "race:vnpu::sim::RemoteContext::Death::serviceDied\n"
           "race:vnpu::hal::ExecutionBurstController::PeerDeath::serviceDied\n"
           "race:kj::_::CidrRange::CidrRange\n";
}
