// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

struct evp_md_ctx_st;  // of libcrypto

namespace vnpu::driver {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 over bytes given piece by piece (FIPS 180-4). One thread at a time.
class Sha256 {
  public:
    Sha256();

    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }

    /// The digest of everything added; to be called once, at the end.
    Digest finish();

  private:
    struct ContextEnd {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, ContextEnd> context_;
};

}  // namespace vnpu::driver
