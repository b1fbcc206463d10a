// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/sha256.h"

#include <openssl/evp.h>

#include "hw_model/regs/check.h"

namespace vnpu::driver {

namespace {

EVP_MD_CTX* libraryContext(void* context) {
    return static_cast<EVP_MD_CTX*>(context);
}

}  // namespace

void Sha256::ContextEnd::operator()(Context* context) const {
    EVP_MD_CTX_free(libraryContext(context));
}

Sha256::Sha256() : context_(reinterpret_cast<Context*>(EVP_MD_CTX_new())) {
    VNPU_CHECK(context_ != nullptr && EVP_DigestInit_ex(libraryContext(context_.get()),
                                                        EVP_sha256(), nullptr) == 1,
               "libcrypto has SHA-256");
}

void Sha256::add(std::span<const std::byte> bytes) {
    VNPU_CHECK(EVP_DigestUpdate(libraryContext(context_.get()), bytes.data(), bytes.size()) == 1,
               "a digest takes any bytes until it is finished");
}

Digest Sha256::finish() {
    Digest digest{};
    VNPU_CHECK(EVP_DigestFinal_ex(libraryContext(context_.get()), digest.data(), nullptr) == 1,
               "a digest is finished once");
    return digest;
}

}  // namespace vnpu::driver
