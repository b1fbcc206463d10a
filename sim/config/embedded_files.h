// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace vnpu::sim {

/// A file that the build put into the program (config/embed_files.cmake writes the definitions).
struct EmbeddedFile {
    std::string_view name;  // "edge" for edge.toml, "page.css"
    std::string_view text;
};

/// sim/configs/*.toml, by name.
std::span<const EmbeddedFile> embeddedConfigs();

/// sim/scenarios/*.toml, by name.
std::span<const EmbeddedFile> embeddedScenarios();

/// sim/report/page: the parts of the pages of results, by name.
std::span<const EmbeddedFile> embeddedPageFiles();

/// The text of the file called `name`, or null.
const EmbeddedFile* findEmbedded(std::span<const EmbeddedFile> files, std::string_view name);

}  // namespace vnpu::sim
