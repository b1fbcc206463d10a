// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

// Mutexes whose use Clang checks: -Wthread-safety finds members that are read or written without
// their mutex, -Wthread-safety-beta mutexes of one function taken against their ranks. Other
// compilers ignore the attributes. A thread takes mutexes by rising rank only.

#ifdef __clang__
#define VNPU_LOCK_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define VNPU_LOCK_ATTRIBUTE(attribute)
#endif

/// On a member: only accessed with the mutex held.
#define VNPU_GUARDED_BY(mutex) VNPU_LOCK_ATTRIBUTE(guarded_by(mutex))
/// On a method: only called with the mutex held.
#define VNPU_REQUIRES(mutex) VNPU_LOCK_ATTRIBUTE(requires_capability(mutex))
/// On a mutex: its rank, one of those below.
#define VNPU_LOCK_RANK(rank)                                                    \
    VNPU_LOCK_ATTRIBUTE(acquired_after(::vnpu::driver::lock_rank::above##rank)) \
    VNPU_LOCK_ATTRIBUTE(acquired_before(::vnpu::driver::lock_rank::below##rank))

namespace vnpu::driver {

class VNPU_LOCK_ATTRIBUTE(capability("mutex")) Mutex {
  public:
    void lock() VNPU_LOCK_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
    void unlock() VNPU_LOCK_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

  private:
    std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class VNPU_LOCK_ATTRIBUTE(scoped_lockable) MutexLock {
  public:
    explicit MutexLock(Mutex& mutex) VNPU_LOCK_ATTRIBUTE(acquire_capability(mutex))
        : mutex_(mutex) {
        mutex_.lock();
    }
    ~MutexLock() VNPU_LOCK_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

  private:
    Mutex& mutex_;
};

// The borders between ranks; they exist in attributes only.
namespace lock_rank {
#define VNPU_RANK_BORDERS(rank, previous)                                          \
    extern Mutex above##rank VNPU_LOCK_ATTRIBUTE(acquired_after(below##previous)); \
    extern Mutex below##rank VNPU_LOCK_ATTRIBUTE(acquired_after(above##rank));
extern Mutex below0;
VNPU_RANK_BORDERS(30, 0)   // PreparedModel
VNPU_RANK_BORDERS(40, 30)  // Executable
VNPU_RANK_BORDERS(50, 40)  // PoolCache
VNPU_RANK_BORDERS(60, 50)  // AddressSpace
VNPU_RANK_BORDERS(65, 60)  // RingRegistry
VNPU_RANK_BORDERS(70, 65)  // JobRing, AdmissionControl
VNPU_RANK_BORDERS(80, 70)  // MailboxClient, DeviceForecast, PowerGovernor, JobTracker,
                           // BufferTable, DeviceBuffer, OnChipMemory
VNPU_RANK_BORDERS(85, 80)  // FenceTable
VNPU_RANK_BORDERS(90, 85)  // SyncFence, FencedExecutionInfo, RatioEstimate, JobQueue, IndexPool,
                           // DeviceTimes
#undef VNPU_RANK_BORDERS
}  // namespace lock_rank

}  // namespace vnpu::driver
