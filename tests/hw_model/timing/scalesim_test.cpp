// SPDX-License-Identifier: Apache-2.0
// The closed forms against SCALE-Sim's published results, layer by layer. The tables lie outside
// the repository; the rows below are worked out by hand from layer shapes, so that the test has
// teeth without them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hw_model/timing/mac_timing.h"

namespace vnpu::test {
namespace {

using hw::Dataflow;
using Row = std::map<std::string, std::string>;

hw::MacConfig singleBuffered(std::uint32_t size, Dataflow dataflow) {
    hw::MacConfig config;
    config.rows = config.columns = size;
    config.dataflow = dataflow;
    config.weightDoubleBuffer = false;
    return config;
}

std::filesystem::path referenceFolder() {
    const char* shared = std::getenv("VNPU_SHARED");
    const std::filesystem::path folder =
            (shared != nullptr ? std::filesystem::path(shared)
                               : std::filesystem::path(VNPU_SOURCE_DIR) / "../shared") /
            "reference";
    return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

std::vector<std::string> splitLine(const std::string& line) {
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) {
        fields.push_back(field);
    }
    return fields;
}

std::vector<Row> readTable(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> names = splitLine(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = splitLine(line);
        Row row;
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) {
            row[names[i]] = fields[i];
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::uint64_t number(const Row& row, const std::string& name) {
    return std::stoull(row.at(name));
}

// scalesim_<network>_<R>x<R>_<dataflow>[_user16].csv
bool parseName(const std::string& stem, std::uint32_t& size, Dataflow& dataflow) {
    const bool isWs = stem.find("_ws") != std::string::npos;
    const bool isOs = stem.find("_os") != std::string::npos;
    const std::size_t cross = stem.rfind('x');
    if (stem.rfind("scalesim_", 0) != 0 || isWs == isOs) {
        return false;
    }
    size = static_cast<std::uint32_t>(std::stoul(stem.substr(cross + 1)));
    dataflow = isWs ? Dataflow::kWeightStationary : Dataflow::kOutputStationary;
    return true;
}

}  // namespace

TEST_SUITE("hw_model/timing/scalesim") {
    TEST_CASE("layers worked out by hand have the closed form's cycles [E-3]") {
        struct Layer {
            const char* what;
            std::uint64_t m, n, k;
            std::uint32_t size;
            Dataflow dataflow;
            std::uint64_t cycles;
        };
        const Layer layers[] = {
                // ResNet-50 first layer, 112*112 pixels, 7*7*3 taps, 64 filters: 10 * 4 folds of
                // 12,590.
                {"conv1", 12'544, 64, 147, 16, Dataflow::kWeightStationary, 503'600},
                // Same on 32 x 32: 5 * 2 folds of 64 + 32 + 12544 - 2 = 12,638.
                {"conv1", 12'544, 64, 147, 32, Dataflow::kWeightStationary, 126'380},
                // Same, output stationary: 784 * 4 folds of 16 + 16 + 147 - 2 = 177.
                {"conv1", 12'544, 64, 147, 16, Dataflow::kOutputStationary, 555'072},
                // BERT-base projection at 128 tokens on 128 x 128: 6 * 6 folds of 256 + 128 + 128 -
                // 2 = 510.
                {"query", 128, 768, 768, 128, Dataflow::kWeightStationary, 18'360},
                // Same, output stationary: 1 * 6 folds of 128 + 128 + 768 - 2 = 1022.
                {"query", 128, 768, 768, 128, Dataflow::kOutputStationary, 6'132},
                // MobileNetV1 last pointwise layer, 49 pixels: 32 * 32 folds of 64 + 32 + 49 - 2 =
                // 143.
                {"pw13", 49, 1024, 1024, 32, Dataflow::kWeightStationary, 146'432},
        };
        for (const Layer& layer : layers) {
            CAPTURE(layer.what);
            CHECK(hw::gemmCycles(singleBuffered(layer.size, layer.dataflow),
                                 {.m = layer.m, .n = layer.n, .k = layer.k}) == layer.cycles);
        }
    }

    TEST_CASE("every row of the published tables has the closed form's cycles [E-3]") {
        const std::filesystem::path folder = referenceFolder();
        if (folder.empty()) {
            MESSAGE("skipped: no reference tables beside the sources and VNPU_SHARED not set");
            return;
        }
        std::size_t rows = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::uint32_t size = 0;
            Dataflow dataflow{};
            if (entry.path().extension() != ".csv" ||
                !parseName(entry.path().stem().string(), size, dataflow)) {
                continue;
            }
            for (const Row& row : readTable(entry.path())) {
                const std::uint64_t cycles = hw::gemmCycles(
                        singleBuffered(size, dataflow),
                        {.m = number(row, "M"), .n = number(row, "N"), .k = number(row, "K")});
                CAPTURE(entry.path().filename().string());
                CAPTURE(row.at("layer"));
                REQUIRE(cycles == number(row, "closed_form_cycles"));
                // What the tool itself measured: the index of the last cycle, waiting for memory
                // left out.
                REQUIRE(cycles - 1 == number(row, "cycles") - number(row, "stall_cycles"));
                ++rows;
            }
        }
        CHECK(rows == 1014);  // 44 files, by the tables' own description
    }
}

}  // namespace vnpu::test
