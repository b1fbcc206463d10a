// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/base/fence.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#include <sys/stat.h>

#include <array>
#endif

namespace vnpu::sim::ndk {

using android::base::unique_fd;

namespace {

// What precedes a signal happens before what follows a wait, of which ThreadSanitizer sees nothing,
// because poll() reads nothing.
#ifdef __SANITIZE_THREAD__
std::array<char, 1024> fenceTags;  // chosen: more than there are fences; a shared tag hides races

char* tagOf(int descriptor) {
    struct stat status {};
    ::fstat(descriptor, &status);
    return &fenceTags[status.st_ino % fenceTags.size()];
}

void noteSignal(int descriptor) {
    __tsan_release(tagOf(descriptor));
}

void noteWait(int descriptor) {
    __tsan_acquire(tagOf(descriptor));
}
#else
void noteSignal(int /*descriptor*/) {}
void noteWait(int /*descriptor*/) {}
#endif

}  // namespace

Result<void> waitForFence(int descriptor) {
    pollfd fence{descriptor, POLLIN, 0};
    while (::poll(&fence, 1, -1) < 0) {
        if (errno != EINTR && errno != EAGAIN) {
            return failed(ANEURALNETWORKS_OP_FAILED, "sync fence cannot be polled: {}",
                          std::strerror(errno));
        }
    }
    noteWait(descriptor);
    if ((fence.revents & (POLLERR | POLLNVAL)) != 0 || (fence.revents & POLLIN) == 0) {
        return failed(ANEURALNETWORKS_OP_FAILED, "sync fence reports a failure");
    }
    return {};
}

bool isSignaled(int descriptor) {
    pollfd fence{descriptor, POLLIN, 0};
    const bool hasEnded = ::poll(&fence, 1, 0) != 0;
    if (hasEnded) {
        noteWait(descriptor);
    }
    return hasEnded;
}

Result<unique_fd> duplicate(int descriptor) {
    unique_fd copy(descriptor < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (copy.get() < 0) {
        return badData("descriptor {} cannot be duplicated: {}", descriptor,
                       std::strerror(descriptor < 0 ? EBADF : errno));
    }
    return copy;
}

Result<OwnFence> OwnFence::create() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return failed(ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT,
                      "no descriptors for a fence: {}", std::strerror(errno));
    }
    OwnFence fence;
    fence.readEnd_.reset(ends[0]);
    fence.writeEnd_.reset(ends[1]);
    return fence;
}

void OwnFence::signal(bool hasSucceeded) {
    const char byte = 1;
    noteSignal(writeEnd_.get());
    if (hasSucceeded) {
        static_cast<void>(::write(writeEnd_.get(), &byte, sizeof(byte)) == sizeof(byte));
    }
    writeEnd_.reset();
}

}  // namespace vnpu::sim::ndk
