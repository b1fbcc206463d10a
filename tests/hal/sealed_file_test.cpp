// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/sealed_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "tests/hal/test_support.h"

namespace {

using android::base::unique_fd;
using vnpu::hal::createSealedFile;
using vnpu::hal::sealedFileBytes;

TEST_SUITE_BEGIN("hal/sealed_file");

TEST_CASE("a new file keeps its size") {
    const auto file = createSealedFile("vnpu-test", 100);
    REQUIRE(file.has_value());
    CHECK(sealedFileBytes(file->get()) == 100);
    CHECK(ftruncate(file->get(), 50) != 0);
    CHECK(errno == EPERM);
    CHECK(ftruncate(file->get(), 200) != 0);
    CHECK_FALSE(createSealedFile("vnpu-test", 0).has_value());
    CHECK_FALSE(createSealedFile("vnpu-test", UINT64_MAX).has_value());
}

TEST_CASE("a file is sealed when its size is asked for") {
    const unique_fd file(memfd_create("vnpu-test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    REQUIRE(ftruncate(file.get(), 64) == 0);
    CHECK(sealedFileBytes(file.get()) == 64);
    CHECK(ftruncate(file.get(), 32) != 0);
}

TEST_CASE("a file that can still shrink has no size to rely on") {
    CHECK_FALSE(sealedFileBytes(vnpu::hal::test::makeFile(64).get()).has_value());
    CHECK_FALSE(sealedFileBytes(-1).has_value());
    const unique_fd path(open("/", O_RDONLY | O_CLOEXEC));
    CHECK_FALSE(sealedFileBytes(path.get()).has_value());
}

TEST_SUITE_END();

}  // namespace
