// SPDX-License-Identifier: Apache-2.0
// libsystemc cannot be loaded without this function, which only its own main() calls.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
