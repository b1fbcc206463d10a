// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/sha256.h"

#include <openssl/evp.h>

#include "hw_model/regs/check.h"

namespace vnpu::driver {

void Sha256::ContextEnd::operator()(EVP_MD_CTX* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    VNPU_CHECK(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1,
               "libcrypto has SHA-256");
}

void Sha256::add(std::span<const std::byte> bytes) {
    VNPU_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1,
               "a digest takes any bytes until it is finished");
}

Digest Sha256::finish() {
    Digest digest{};
    VNPU_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1,
               "a digest is finished once");
    return digest;
}

}  // namespace vnpu::driver
