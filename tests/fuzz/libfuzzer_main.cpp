// SPDX-License-Identifier: Apache-2.0
// A program of libFuzzer's: vnpu_fuzz TARGET [libFuzzer's arguments and corpus folders].
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

// libFuzzer starts this program again with the same first arguments, which it would take for a
// folder: the target's name may also stand in the environment.
extern "C" int LLVMFuzzerInitialize(int* argumentCount, char*** arguments) {
    setenv("ANDROID_LOG_TAGS", "*:s", 0);  // each refusal says why, which is most of the time
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
