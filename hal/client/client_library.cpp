// SPDX-License-Identifier: Apache-2.0
// The shared library for programs written against the HAL whose devices live in another process. It
// contains all of hal, and its getService also searches the service's socket. See README.md.
#include <vnpu/hal/rpc_client.h>

namespace vnpu::hal {

namespace {

/// Runs when the library is loaded, before the program's own code.
[[maybe_unused]] const bool kLooksAtSocket = [] {
    useServiceSocket();
    return true;
}();

}  // namespace

}  // namespace vnpu::hal
