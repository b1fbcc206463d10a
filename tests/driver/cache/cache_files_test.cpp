// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cache_files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <string>

#include "tests/driver/cache/temporary_files.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

CacheKey keyOf(std::uint8_t token, std::uint8_t configuration) {
    CacheKey key;
    key.token.fill(token);
    key.configuration.fill(configuration);
    return key;
}

const CacheKey kKey = keyOf(0xA5, 0x3C);

Result<void> write(const CacheDescriptors& files, const CacheKey& key, const Bytes& model,
                   const Bytes& data) {
    return writeCacheFiles(files, key, {.model = model, .data = {data}});
}

/// Files that hold the model "commands and weights" and the data "0123456789".
struct SavedFiles : CacheFilePair {
    SavedFiles() {
        REQUIRE(write(descriptors(), kKey, bytesOf("commands and weights"), bytesOf("0123456789"))
                        .has_value());
    }
};

void checkRefused(const CacheFilePair& files, const CacheKey& key = kKey) {
    const auto contents = readCacheFiles(files.descriptors(), key);
    REQUIRE_FALSE(contents.has_value());
    CHECK_EQ(contents.error().status, ErrorStatus::GENERAL_FAILURE);
    CHECK_FALSE(contents.error().reason.empty());
}

/// Limits the size of this process's files while it exists.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        REQUIRE_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int) = SIG_DFL;
};

}  // namespace

TEST_SUITE_BEGIN("driver/cache/cache_files");

TEST_CASE("what is written is read again") {
    const SavedFiles files;

    const auto contents = readCacheFiles(files.descriptors(), kKey);

    REQUIRE(contents.has_value());
    CHECK(contents->model == bytesOf("commands and weights"));
    CHECK(contents->data == bytesOf("0123456789"));
}

TEST_CASE("data in several parts are stored consecutively, and may be empty") {
    const CacheFilePair files;
    const Bytes one = bytesOf("one");
    const Bytes two = bytesOf("two");

    REQUIRE(writeCacheFiles(files.descriptors(), kKey, {.model = {}, .data = {one, {}, two}}));
    const auto contents = readCacheFiles(files.descriptors(), kKey);
    REQUIRE(contents.has_value());
    CHECK(contents->model.empty());
    CHECK(contents->data == bytesOf("onetwo"));

    REQUIRE(writeCacheFiles(files.descriptors(), kKey, {.model = one, .data = {}}));
    const auto without = readCacheFiles(files.descriptors(), kKey);
    REQUIRE(without.has_value());
    CHECK(without->data.empty());
}

TEST_CASE("the layout of the files agrees with the header") {
    const SavedFiles files;
    const Bytes model = files.model.read();
    const Bytes data = files.data.read();

    REQUIRE_EQ(model.size(), 120 + 20);
    REQUIRE_EQ(data.size(), 120 + 10);
    CHECK_EQ(std::memcmp(model.data(), "VNPUMODL", 8), 0);
    CHECK_EQ(std::memcmp(data.data(), "VNPUDATA", 8), 0);
    CHECK(model[16] == std::byte{0xA5});
    CHECK(model[48] == std::byte{0x3C});
    CHECK_EQ(std::memcmp(model.data() + 80, data.data() + 80, 32), 0);
    CHECK(model[112] == std::byte{20});
    CHECK(data[112] == std::byte{10});
    CHECK_EQ(std::memcmp(model.data() + 120, "commands and weights", 20), 0);
}

TEST_CASE("the offsets of the descriptors and old content do not matter") {
    const CacheFilePair files;
    files.model.write(Bytes(5000, std::byte{0xEE}));
    files.data.write(Bytes(5000, std::byte{0xEE}));
    REQUIRE_EQ(lseek(files.model.fd(), 17, SEEK_SET), 17);
    REQUIRE_EQ(lseek(files.data.fd(), 4000, SEEK_SET), 4000);

    REQUIRE(write(files.descriptors(), kKey, bytesOf("model"), bytesOf("data")).has_value());

    CHECK_EQ(files.model.read().size(), 125);
    REQUIRE_EQ(lseek(files.model.fd(), 1, SEEK_SET), 1);
    const auto contents = readCacheFiles(files.descriptors(), kKey);
    REQUIRE(contents.has_value());
    CHECK(contents->model == bytesOf("model"));
    CHECK(contents->data == bytesOf("data"));
}

TEST_CASE("files opened for appending are written from the beginning") {
    const CacheFilePair files;
    files.model.write(bytesOf("old"));
    const Descriptor model(files.model.open(O_RDWR | O_APPEND));

    REQUIRE(write({.model = model.get(), .data = files.data.fd()}, kKey, bytesOf("model"),
                  bytesOf("data"))
                    .has_value());

    CHECK(readCacheFiles(files.descriptors(), kKey).has_value());
}

TEST_CASE("a flipped bit anywhere in either file is detected") {
    const SavedFiles files;
    for (const TemporaryFile* file : {&files.model, &files.data}) {
        const Bytes good = file->read();
        for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
            Bytes bad = good;
            bad[bit / 8] ^= std::byte{1} << (bit % 8);
            file->write(bad);
            CHECK_FALSE_MESSAGE(readCacheFiles(files.descriptors(), kKey).has_value(), "bit ", bit);
        }
        file->write(good);
    }
    CHECK(readCacheFiles(files.descriptors(), kKey).has_value());
}

TEST_CASE("a file of any other length is detected") {
    const SavedFiles files;
    for (const TemporaryFile* file : {&files.model, &files.data}) {
        const Bytes good = file->read();
        for (std::size_t length = 0; length < good.size(); ++length) {
            file->write(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)));
            checkRefused(files);
        }
        for (const std::size_t more : {1U, 8U, 120U, 70000U}) {
            Bytes longer = good;
            longer.resize(good.size() + more);
            file->write(longer);
            checkRefused(files);
        }
        file->write(good);
    }
}

TEST_CASE("a header that claims more bytes than the file has, or an absurd size, is refused") {
    const SavedFiles files;
    const Bytes good = files.model.read();
    for (const std::uint64_t claimed :
         {std::uint64_t{21}, kMaxModelPayloadBytes, UINT64_MAX, UINT64_MAX - 119}) {
        Bytes bad = good;
        std::memcpy(bad.data() + offsetof(CacheFileHeader, payloadBytes), &claimed,
                    sizeof(claimed));
        files.model.write(bad);
        checkRefused(files);
    }
}

TEST_CASE("a file that is larger than any cache is refused before it is read") {
    const SavedFiles files;
    Bytes header = files.model.read();
    const std::uint64_t payloadBytes = kMaxModelPayloadBytes + 1;
    std::memcpy(header.data() + offsetof(CacheFileHeader, payloadBytes), &payloadBytes,
                sizeof(payloadBytes));
    files.model.write(header);
    // A sparse file, which takes no space on the disk.
    REQUIRE_EQ(ftruncate(files.model.fd(), static_cast<off_t>(120 + payloadBytes)), 0);

    const auto contents = readCacheFiles(files.descriptors(), kKey);

    REQUIRE_FALSE(contents.has_value());
    CHECK_NE(contents.error().reason.find("expected up to 1073741824"), std::string::npos);
}

TEST_CASE("another token, configuration or version is refused") {
    const SavedFiles files;
    checkRefused(files, keyOf(0xA4, 0x3C));
    checkRefused(files, keyOf(0xA5, 0x3D));
    for (const TemporaryFile* file : {&files.model, &files.data}) {
        const Bytes good = file->read();
        Bytes other = good;
        const std::uint32_t version = kCacheVersion + 1;
        std::memcpy(other.data() + offsetof(CacheFileHeader, version), &version, sizeof(version));
        file->write(other);
        checkRefused(files);
        file->write(good);
    }
}

TEST_CASE("files of two compilations do not match, even with equal keys and sizes") {
    const SavedFiles first;
    const CacheFilePair second;
    REQUIRE(write(second.descriptors(), kKey, bytesOf("COMMANDS and weights"),
                  bytesOf("0123456789"))
                    .has_value());
    REQUIRE(readCacheFiles(second.descriptors(), kKey).has_value());

    const auto mixed = readCacheFiles({.model = second.model.fd(), .data = first.data.fd()}, kKey);
    REQUIRE_FALSE(mixed.has_value());
    CHECK_EQ(mixed.error().status, ErrorStatus::GENERAL_FAILURE);
    CHECK_FALSE(readCacheFiles({.model = first.model.fd(), .data = second.data.fd()}, kKey)
                        .has_value());
}

TEST_CASE("bytes moved from the end of one payload to the other are detected") {
    const CacheFilePair files;
    const CacheFilePair others;
    REQUIRE(write(files.descriptors(), kKey, bytesOf("abc"), bytesOf("def")).has_value());
    REQUIRE(write(others.descriptors(), kKey, bytesOf("abcd"), bytesOf("ef")).has_value());

    CHECK_NE(std::memcmp(files.model.read().data() + 80, others.model.read().data() + 80, 32), 0);
}

TEST_CASE("swapped model and data files are refused") {
    const SavedFiles files;
    CHECK_FALSE(
            readCacheFiles({.model = files.data.fd(), .data = files.model.fd()}, kKey).has_value());
    CHECK_FALSE(readCacheFiles({.model = files.model.fd(), .data = files.model.fd()}, kKey)
                        .has_value());
}

TEST_CASE("one file for both holds no cache afterwards") {
    const CacheFilePair files;
    const CacheDescriptors same{.model = files.model.fd(), .data = files.model.fd()};
    static_cast<void>(write(same, kKey, bytesOf("model"), bytesOf("data")));
    CHECK_FALSE(readCacheFiles(same, kKey).has_value());
}

TEST_CASE("descriptors that cannot be read and written are refused, the other file is emptied") {
    const TemporaryFile spare;
    int ends[2];
    REQUIRE_EQ(pipe2(ends, O_CLOEXEC), 0);
    const Descriptor readEnd(ends[0]);
    const Descriptor writeEnd(ends[1]);
    const Descriptor readOnly(spare.open(O_RDONLY));
    const Descriptor writeOnly(spare.open(O_WRONLY));
    const Descriptor pathOnly(spare.open(O_PATH));
    const Descriptor folder(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const Descriptor device(open("/dev/full", O_RDWR | O_CLOEXEC));
    for (const int bad : {readEnd.get(), writeEnd.get(), readOnly.get(), writeOnly.get(),
                          pathOnly.get(), folder.get(), device.get(), -1, 987654}) {
        for (const bool isModel : {true, false}) {
            const SavedFiles files;  // of an earlier compilation
            CacheDescriptors mixed = files.descriptors();
            (isModel ? mixed.model : mixed.data) = bad;

            const auto written = write(mixed, kKey, bytesOf("new"), bytesOf("new"));

            REQUIRE_FALSE(written.has_value());
            CHECK_EQ(written.error().status, ErrorStatus::GENERAL_FAILURE);
            CHECK((isModel ? files.data : files.model).read().empty());
        }
    }
}

TEST_CASE("descriptors that cannot be read are refused when the cache is wanted") {
    const SavedFiles files;
    int ends[2];
    REQUIRE_EQ(pipe2(ends, O_CLOEXEC), 0);
    const Descriptor readEnd(ends[0]);
    const Descriptor writeEnd(ends[1]);
    const Descriptor writeOnly(files.model.open(O_WRONLY));
    const Descriptor folder(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (const int bad :
         {readEnd.get(), writeEnd.get(), writeOnly.get(), folder.get(), -1, 987654}) {
        const auto contents = readCacheFiles({.model = bad, .data = files.data.fd()}, kKey);
        REQUIRE_FALSE(contents.has_value());
        CHECK_EQ(contents.error().status, ErrorStatus::GENERAL_FAILURE);
    }
}

TEST_CASE("read-only files can be loaded") {
    const SavedFiles files;
    const Descriptor model(files.model.open(O_RDONLY));
    const Descriptor data(files.data.open(O_RDONLY));
    CHECK(readCacheFiles({.model = model.get(), .data = data.get()}, kKey).has_value());
}

TEST_CASE("memory files work like files on disk") {
    const Descriptor model(memfd_create("model", MFD_CLOEXEC));
    const Descriptor data(memfd_create("data", MFD_CLOEXEC));
    const CacheDescriptors files{.model = model.get(), .data = data.get()};
    REQUIRE(write(files, kKey, bytesOf("model"), bytesOf("data")).has_value());
    CHECK(readCacheFiles(files, kKey).has_value());
}

TEST_CASE("a write that runs out of space leaves no cache") {
    const Bytes model(1000, std::byte{1});
    const Bytes data(600, std::byte{2});
    // The data file is written first: the limits lie in its header, its payload, and the model's
    // payload.
    for (const rlim_t limit : {rlim_t{100}, rlim_t{300}, rlim_t{900}}) {
        const CacheFilePair files;
        Result<void> written;
        {
            const FileSizeLimit smallDisk(limit);
            written = write(files.descriptors(), kKey, model, data);
        }
        REQUIRE_FALSE(written.has_value());
        CHECK_EQ(written.error().status, ErrorStatus::GENERAL_FAILURE);
        // A short write comes first: the reason names the byte at which nothing more could be
        // written.
        CHECK_NE(written.error().reason.find("at byte " + std::to_string(limit)),
                 std::string::npos);
        CHECK(files.model.read().empty());
        CHECK(files.data.read().empty());
        CHECK(write(files.descriptors(), kKey, model, data).has_value());
    }
}

TEST_CASE("a file sealed against writing is refused") {
    const Descriptor model(memfd_create("model", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const TemporaryFile data;
    REQUIRE_EQ(fcntl(model.get(), F_ADD_SEALS, F_SEAL_GROW), 0);
    const auto written = write({.model = model.get(), .data = data.fd()}, kKey, bytesOf("model"),
                               bytesOf("data"));
    CHECK_FALSE(written.has_value());
    CHECK(data.read().empty());
}

TEST_CASE("each file needs exactly one handle with one descriptor") {
    const CacheFilePair files;
    const int model = files.model.fd();
    const int data = files.data.fd();
    const auto good = handlesOf({{data}});
    REQUIRE(borrowDescriptors(handlesOf({{model}}), good).has_value());
    const std::vector<std::vector<std::vector<int>>> bads = {
            {}, {{model}, {model}}, {{-2}}, {{}}, {{model, data}}};
    for (const auto& bad : bads) {
        const auto handles = handlesOf(bad);
        const auto asModel = borrowDescriptors(handles, good);
        REQUIRE_FALSE(asModel.has_value());
        CHECK_EQ(asModel.error().status, ErrorStatus::INVALID_ARGUMENT);
        const auto asData = borrowDescriptors(good, handles);
        REQUIRE_FALSE(asData.has_value());
        CHECK_EQ(asData.error().status, ErrorStatus::INVALID_ARGUMENT);
    }
}

TEST_SUITE_END();
