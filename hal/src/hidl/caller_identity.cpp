// SPDX-License-Identifier: Apache-2.0
#include <hwbinder/IPCThreadState.h>
#include <unistd.h>
#include <vnpu/hal/caller_identity.h>

#include <memory>
#include <mutex>
#include <utility>

namespace {

using UidProvider = std::function<uint32_t()>;

/// The current provider, or null. Calls use a copy outside the lock.
class ProviderSlot {
  public:
    static ProviderSlot& instance() {
        static ProviderSlot* const slot = std::make_unique<ProviderSlot>().release();
        return *slot;
    }

    void set(std::shared_ptr<const UidProvider> provider) {
        const std::lock_guard lock(mutex_);
        provider_.swap(provider);
    }

    std::shared_ptr<const UidProvider> get() {
        const std::lock_guard lock(mutex_);
        return provider_;
    }

  private:
    std::mutex mutex_;  // guards provider_; no other lock is taken under it
    std::shared_ptr<const UidProvider> provider_;
};

/// The remote caller of the call that this thread is serving, or null.
thread_local const vnpu::hal::Caller* threadCaller = nullptr;

}  // namespace

namespace vnpu::hal {

CallerScope::CallerScope(const Caller& caller)
    : caller_(caller), outer_(std::exchange(threadCaller, &caller_)) {}

CallerScope::~CallerScope() {
    threadCaller = outer_;
}

void setCallerUidProvider(std::function<uint32_t()> provider) {
    ProviderSlot::instance().set(provider ? std::make_shared<const UidProvider>(std::move(provider))
                                          : nullptr);
}

}  // namespace vnpu::hal

namespace android::hardware {

IPCThreadState* IPCThreadState::self() {
    static IPCThreadState state;
    return &state;
}

pid_t IPCThreadState::getCallingPid() const {
    return threadCaller == nullptr ? getpid() : threadCaller->pid;
}

uid_t IPCThreadState::getCallingUid() const {
    if (threadCaller != nullptr) {
        return threadCaller->uid;
    }
    const auto provider = ProviderSlot::instance().get();
    return provider == nullptr ? getuid() : (*provider)();
}

}  // namespace android::hardware
