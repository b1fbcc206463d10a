// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/sim/ndk/test_model.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

/// The files of a folder with their contents.
std::map<std::string, std::string> filesOf(const TemporaryFolder& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        files[entry.path().filename()] = readFile(entry.path());
    }
    return files;
}

/// Compiles with a cache and checks that the result computes.
void compileAndCheck(const TestModel& model, const std::string& folder, std::uint8_t tokenByte,
                     const std::vector<float>& expected) {
    const ANeuralNetworksDevice* const device = findDevice("vnpu-edge");
    const std::vector<std::uint8_t> token(ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN, tokenByte);
    OwnedCompilation compilation;
    REQUIRE(ANeuralNetworksCompilation_createForDevices(
                    model.get(), &device, 1, compilation.place()) == ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksCompilation_setCaching(compilation.get(), folder.c_str(),
                                                  token.data()) == ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksCompilation_finish(compilation.get()) == ANEURALNETWORKS_NO_ERROR);
    std::vector<float> output(expected.size());
    CHECK(computeFloats(compilation, ramp(expected.size()), output) == ANEURALNETWORKS_NO_ERROR);
    CHECK(output == expected);
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/cache");

TEST_CASE("a compilation is stored, found again, and replaced when it is damaged") {
    simCase([] {
        const TestModel model = affineModel(12);
        const std::vector<float> expected = affine(ramp(12));
        const TemporaryFolder folder;
        compileAndCheck(model, folder.path(), 1, expected);
        const auto stored = filesOf(folder);
        REQUIRE_FALSE(stored.empty());

        // A hit leaves the files alone: their times stay, and so does the inode.
        const auto& first = *stored.begin();
        const auto time = std::filesystem::last_write_time(folder / first.first);
        compileAndCheck(model, folder.path(), 1, expected);
        CHECK(filesOf(folder) == stored);
        CHECK(std::filesystem::last_write_time(folder / first.first) == time);

        for (const auto& [name, contents] : stored) {
            std::string damaged = contents;
            damaged[damaged.size() / 2] ^= 0x5a;
            for (const std::string& bad : {damaged, contents.substr(0, contents.size() / 2),
                                           std::string(), std::string(100, 'x')}) {
                writeFile(folder / name, bad);
                compileAndCheck(model, folder.path(), 1, expected);
                CHECK(readFile(folder / name).size() == contents.size());
                CHECK(readFile(folder / name) != bad);
            }
        }
        CHECK(filesOf(folder).size() == stored.size());  // no remainders
    });
}

TEST_CASE("the token distinguishes compilations, and the cache is what is used") {
    simCase([] {
        const TemporaryFolder folder;
        compileAndCheck(affineModel(12), folder.path(), 1, affine(ramp(12)));
        const std::size_t one = filesOf(folder).size();
        TestModel other;
        const std::uint32_t input = other.floats({12});
        const std::uint32_t two = other.constant({1}, {2});
        const std::uint32_t product = other.binary(ANEURALNETWORKS_MUL, input, two, {12});
        const std::uint32_t three = other.constant({1}, {3});
        other.finish({input}, {other.binary(ANEURALNETWORKS_ADD, product, three, {12})});
        std::vector<float> own = ramp(12);
        for (float& value : own) {
            value = value * 2 + 3;
        }
        compileAndCheck(other, folder.path(), 2, own);
        CHECK(filesOf(folder).size() == 2 * one);
        // A caller that reuses a token gets what is stored under it: only the token counts.
        compileAndCheck(other, folder.path(), 1, affine(ramp(12)));
    });
}

TEST_CASE("a folder that cannot be written costs the cache, not the compilation") {
    simCase([] { compileAndCheck(affineModel(12), "/nonexistent/folder", 1, affine(ramp(12))); });
}

TEST_SUITE_END();

}  // namespace vnpu::test
