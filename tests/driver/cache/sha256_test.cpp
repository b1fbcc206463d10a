// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/sha256.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

using vnpu::driver::Digest;
using vnpu::driver::Sha256;

namespace {

std::string toHex(const Digest& digest) {
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string digestOf(std::string_view text) {
    Sha256 digest;
    digest.add(text);
    return toHex(digest.finish());
}

}  // namespace

TEST_SUITE_BEGIN("driver/cache/sha256");

// The examples of FIPS 180 (NIST, "SHA-256 examples" and the message of a million a's in its
// annex).
TEST_CASE("the published examples give the published digests") {
    CHECK_EQ(digestOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_EQ(digestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_EQ(digestOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("pieces of any size make one message") {
    Sha256 digest;
    std::size_t left = 1'000'000;
    for (std::size_t piece = 1; left > 0; piece = piece * 3 + 1) {
        const std::size_t count = std::min(piece, left);
        digest.add(std::string(count, 'a'));
        left -= count;
    }
    CHECK_EQ(toHex(digest.finish()),
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_SUITE_END();
