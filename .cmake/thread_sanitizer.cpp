// SPDX-License-Identifier: Apache-2.0
// Part of every program that is built with ThreadSanitizer.

/// RefBase counts its references in libutils, which is not built for ThreadSanitizer. The sanitizer
/// therefore does not see that the thread that drops the last reference does so after the others:
/// not when RefBase deletes the object, and not when something that a death recipient shares is
/// deleted later. Likewise it does not see how KJ guards the static table that its first event loop
/// fills.
extern "C" const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name
extern "C" const char* __tsan_default_suppressions() {
    return "race:android::RefBase::decStrong\n"
           "race:vnpu::sim::RemoteContext::Death::serviceDied\n"
           "race:vnpu::hal::ExecutionBurstController::PeerDeath::serviceDied\n"
           "race:kj::_::CidrRange::CidrRange\n";
}
