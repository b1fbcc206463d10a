// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/program.h"
#include "tests/support/source_folder.h"

namespace {

using vnpu::test::CommandFolder;

constexpr std::size_t kInputBytes = 49 * 10;  // of ds_cnn

/// A folder with the compiled ds_cnn, its input, and the outputs of `vnpu infer` as expected0.bin.
class MinimalFolder : public CommandFolder {
  public:
    explicit MinimalFolder(const std::string& config = "edge") {
        std::string input(kInputBytes, '\0');
        for (std::size_t i = 0; i < input.size(); ++i) {
            input[i] = static_cast<char>(i * 37 % 251);
        }
        write("in0.bin", input);
        const std::string model = "zoo:ds_cnn --config " + config;
        REQUIRE(run("compile " + model + " -o " + *this / "model.job") == 0);
        REQUIRE(run("infer " + model + " --input " + *this / "in0.bin" + " --output " +
                    *this / "expected") == 0);
    }

    /// Runs the driver on the compiled model; returns its exit code.
    int minimal(const std::string& arguments = "") const {
        return system(std::string(VNPU_MINIMAL) + " " + *this / "model.job" + " " + *this / "" +
                      " " + arguments);
    }

    std::string expected() const { return read("expected/out0.bin"); }
};

}  // namespace

TEST_SUITE_BEGIN("driver/minimal/minimal");

TEST_CASE("the driver gives the bytes of vnpu infer, without a mistake") {
    const MinimalFolder folder;
    CHECK(folder.minimal("--lint") == 0);
    CHECK(folder.read("out").starts_with("ds_cnn on edge: "));
    CHECK(folder.read("err").find("lint: 0 mistakes in ") != std::string::npos);
    CHECK(!folder.expected().empty());
    CHECK(folder.read("out0.bin") == folder.expected());
}

TEST_CASE("the driver runs on other devices") {
    const MinimalFolder folder("mobile");
    CHECK(folder.minimal() == 0);
    CHECK(folder.read("out0.bin") == folder.expected());
}

TEST_CASE("after a fault the driver resets the device, and the next job is right") {
    const MinimalFolder folder;
    CHECK(folder.minimal("--fault --lint") == 0);
    CHECK(folder.read("out").starts_with("job 1 failed with status 14 at 0x"));
    CHECK(folder.read("err").find("lint: 0 mistakes in ") != std::string::npos);
    CHECK(folder.read("out0.bin") == folder.expected());
}

TEST_CASE("a recording of the driver replays without a difference") {
    const MinimalFolder folder;
    REQUIRE(folder.minimal("--fault --record " + folder / "run.rec") == 0);
    CHECK(folder.run("replay " + folder / "run.rec") == 0);
    CHECK(folder.read("out").starts_with("no difference\n"));
}

TEST_CASE("a damaged job file and wrong arguments are refused") {
    const MinimalFolder folder;
    std::string bytes = folder.read("model.job");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
    folder.write("model.job", bytes);
    CHECK(folder.minimal() == 2);
    CHECK(folder.read("err").find("is no intact job file of version 1") != std::string::npos);
    CHECK(folder.minimal("--nonsense") == 2);
}

TEST_CASE("a job file for another device is refused by the name of the register's offset") {
    const MinimalFolder folder("mobile");
    std::string bytes = folder.read("model.job");
    const std::size_t name = bytes.find("mobile");
    REQUIRE(name < 256);  // in the header, which the checksum does not cover
    bytes.replace(name, 7, std::string("edge\0\0\0", 7));
    folder.write("model.job", bytes);
    CHECK(folder.minimal() == 1);
    CHECK(folder.read("err").find("minimal: register 0x0010 is 0x") != std::string::npos);
}

TEST_CASE("an unknown model and a file that cannot be written are refused") {
    const CommandFolder folder;
    CHECK(folder.run("compile zoo:nothing -o " + folder / "x.job") == 2);
    CHECK(folder.run("compile zoo:ds_cnn -o /nonexistent/x.job") == 2);
    CHECK(folder.read("err").find("/nonexistent/x.job: cannot be written") != std::string::npos);
}

TEST_CASE("the driver has at most 600 lines") {
    std::size_t lines = 0;
    for (const char* name :
         {"main.c", "job.c", "job.h", "npu.c", "npu.h", "machine.c", "machine.h"}) {
        const std::string text =
                vnpu::test::readFile(vnpu::test::sourceFolder() / "driver/minimal" / name);
        lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    CHECK(lines <= 600);
}

TEST_SUITE_END();
