// SPDX-License-Identifier: Apache-2.0
// The libFuzzer program: vnpu_fuzz TARGET [libFuzzer's arguments and corpus folders].
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/target.h"

namespace {

const vnpu::fuzz::Target* chosen = nullptr;

void choose(std::string_view name) {
    for (const vnpu::fuzz::Target* target : vnpu::fuzz::kTargets) {
        if (target->name == name) {
            chosen = target;
        }
    }
    if (chosen == nullptr) {
        std::fprintf(stderr, "vnpu_fuzz TARGET [arguments of libFuzzer]; targets are\n");
        for (const vnpu::fuzz::Target* target : vnpu::fuzz::kTargets) {
            std::fprintf(stderr, "    %s\n", target->name.data());
        }
        std::exit(2);
    }
}

}  // namespace

// libFuzzer restarts this program with the same arguments and would take the first one for a
// folder, so the target's name may also be given in the environment.
extern "C" int LLVMFuzzerInitialize(int* argumentCount, char*** arguments) {
    // otherwise every refusal would be logged, which would take most of the time
    setenv("ANDROID_LOG_TAGS", "*:s", 0);
    const char* const name = std::getenv("VNPU_FUZZ_TARGET");
    if (name != nullptr) {
        choose(name);
        return 0;
    }
    choose(*argumentCount > 1 ? (*arguments)[1] : "");
    setenv("VNPU_FUZZ_TARGET", (*arguments)[1], 1);
    (*arguments)[1] = (*arguments)[0];
    ++*arguments;
    --*argumentCount;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    chosen->run({data, size});
    return 0;
}

// libsystemc's own main refers to it; libFuzzer has the program's entry.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
