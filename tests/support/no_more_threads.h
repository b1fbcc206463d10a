// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <pthread.h>

#include <cstddef>

namespace vnpu::test {

/// While this exists, the system has no memory for the stack of another thread.
class NoMoreThreads {
  public:
    NoMoreThreads() {
        pthread_getattr_default_np(&usual_);
        pthread_attr_t huge;
        pthread_attr_init(&huge);
        constexpr std::size_t kBytes = std::size_t{1} << 47;  // more than a process's addresses
        pthread_attr_setstacksize(&huge, kBytes);
        REQUIRE(pthread_setattr_default_np(&huge) == 0);
        pthread_attr_destroy(&huge);
    }
    ~NoMoreThreads() { pthread_setattr_default_np(&usual_); }
    NoMoreThreads(const NoMoreThreads&) = delete;
    NoMoreThreads& operator=(const NoMoreThreads&) = delete;

  private:
    pthread_attr_t usual_{};
};

}  // namespace vnpu::test
