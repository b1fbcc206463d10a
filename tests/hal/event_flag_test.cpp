// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmq/EventFlag.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <thread>

#include "tests/hal/child_process.h"
#include "tests/hal/test_support.h"

namespace {

using android::BAD_VALUE;
using android::NO_ERROR;
using android::TIMED_OUT;
using android::hardware::EventFlag;
using vnpu::hal::test::ChildProcess;

struct Deleter {
    void operator()(EventFlag* flag) const { EventFlag::deleteEventFlag(&flag); }
};
using Flag = std::unique_ptr<EventFlag, Deleter>;

Flag flagOver(std::atomic<uint32_t>& word) {
    EventFlag* flag = nullptr;
    REQUIRE(EventFlag::createEventFlag(&word, &flag) == NO_ERROR);
    return Flag(flag);
}

TEST_SUITE_BEGIN("hal/event_flag");

TEST_CASE("needs a word and somewhere to put the flag") {
    std::atomic<uint32_t> word{0};
    EventFlag* flag = reinterpret_cast<EventFlag*>(&word);
    CHECK(EventFlag::createEventFlag(nullptr, &flag) == BAD_VALUE);
    CHECK(flag == nullptr);
    CHECK(EventFlag::createEventFlag(&word, nullptr) == BAD_VALUE);
    CHECK(EventFlag::deleteEventFlag(nullptr) == BAD_VALUE);
    CHECK(EventFlag::deleteEventFlag(&flag) == BAD_VALUE);
    REQUIRE(EventFlag::createEventFlag(&word, &flag) == NO_ERROR);
    CHECK(EventFlag::deleteEventFlag(&flag) == NO_ERROR);
    CHECK(flag == nullptr);
}

TEST_CASE("waiting clears the bits of its mask and keeps the others") {
    std::atomic<uint32_t> word{0};
    const Flag flag = flagOver(word);
    CHECK(flag->wake(0xB) == NO_ERROR);
    uint32_t state = 0;
    CHECK(flag->wait(0x3, &state) == NO_ERROR);
    CHECK(state == 0x3);
    CHECK(word == 0x8);
}

TEST_CASE("an empty mask wakes no thread and cannot be waited for") {
    std::atomic<uint32_t> word{0};
    const Flag flag = flagOver(word);
    CHECK(flag->wake(0) == NO_ERROR);
    CHECK(word == 0);
    uint32_t state = 0;
    CHECK(flag->wait(0, &state) == BAD_VALUE);
    CHECK(flag->wait(1, nullptr) == BAD_VALUE);
}

TEST_CASE("a bit that is set counts, however short the time is") {
    std::atomic<uint32_t> word{0x4};
    const Flag flag = flagOver(word);
    uint32_t state = 0;
    CHECK(flag->wait(0x4, &state, 1, true) == NO_ERROR);
    CHECK(state == 0x4);
    CHECK(flag->wait(0x4, &state, 1, true) == TIMED_OUT);
    CHECK(state == 0);
    CHECK(flag->wait(0x4, &state, -1) == TIMED_OUT);
    CHECK(flag->wait(0x4, &state, -1, true) == TIMED_OUT);
}

TEST_CASE("sleeps until another thread sets one of the bits") {
    std::atomic<uint32_t> word{0};
    const Flag flag = flagOver(word);
    uint32_t state = 0;
    std::thread sleeper([&] { CHECK(flag->wait(0x6, &state, 0, true) == NO_ERROR); });
    CHECK(flag->wake(0x1) == NO_ERROR);  // another bit: the sleeper continues to sleep
    CHECK(flag->wake(0x4) == NO_ERROR);
    sleeper.join();
    CHECK(state == 0x4);
    CHECK(word == 0x1);
}

TEST_CASE("wakes other processes that share the word [B-3]") {
    void* const page = mmap(nullptr, sizeof(uint32_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(page != MAP_FAILED);
    auto& word = *static_cast<std::atomic<uint32_t>*>(page);
    const Flag flag = flagOver(word);
    ChildProcess child([&] {
        uint32_t state = 0;
        return flag->wait(0x1, &state, 0, true) == NO_ERROR && flag->wake(0x2) == NO_ERROR ? 0 : 1;
    });
    CHECK(flag->wake(0x1) == NO_ERROR);
    uint32_t state = 0;
    CHECK(flag->wait(0x2, &state, 0, true) == NO_ERROR);
    CHECK(child.wait() == 0);
    munmap(page, sizeof(uint32_t));
}

TEST_CASE("maps a word in a file that cannot shrink, and no other") {
    const android::base::unique_fd file(memfd_create("vnpu-test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    REQUIRE(ftruncate(file.get(), 8192) == 0);
    EventFlag* raw = nullptr;
    REQUIRE(EventFlag::createEventFlag(file.get(), 4100, &raw) == NO_ERROR);
    const Flag flag(raw);
    CHECK(flag->wake(0x10) == NO_ERROR);
    uint32_t word = 0;
    REQUIRE(pread(file.get(), &word, sizeof(word), 4100) == sizeof(word));
    CHECK(word == 0x10);

    for (const off_t offset : {off_t{-4}, off_t{2}, off_t{8192}}) {
        CHECK(EventFlag::createEventFlag(file.get(), offset, &raw) == BAD_VALUE);
        CHECK(raw == nullptr);
    }
    const auto unsealable = vnpu::hal::test::makeFile(64);
    CHECK(EventFlag::createEventFlag(unsealable.get(), 0, &raw) == BAD_VALUE);
    CHECK(EventFlag::createEventFlag(-1, 0, &raw) == BAD_VALUE);
}

TEST_SUITE_END();

}  // namespace
