// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_files.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

struct Kinds {
    bool perfetto = false;
    bool vcd = false;
};

Kinds parseKinds(const std::string& text) {
    Kinds kinds;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        bool* const kind = word == "perfetto" ? &kinds.perfetto
                           : word == "vcd"    ? &kinds.vcd
                                              : nullptr;
        if (kind == nullptr || *kind) {
            throw InputError(fmt::format(
                    "--trace is \"{}\", expected vcd, perfetto or both with a comma", text));
        }
        *kind = true;
    }
    return kinds;
}

void open(std::ofstream& file, const std::filesystem::path& path) {
    file.open(path, std::ios::binary | std::ios::trunc);
    if (!file) {
        throw InputError(fmt::format("--out: can't write {}, expected a folder that can be written",
                                     path.string()));
    }
}

}  // namespace

TraceFiles::TraceFiles(const std::string& kinds, const std::filesystem::path& folder,
                       VcdWriter::Window vcdWindow) {
    const Kinds wanted = parseKinds(kinds);
    if (wanted.perfetto) {
        open(perfettoFile_, folder / "trace.perfetto-trace");
        perfetto_.emplace(perfettoFile_);
    }
    if (wanted.vcd) {
        open(vcdFile_, folder / "trace.vcd");
        vcd_.emplace(vcdFile_, vcdWindow);
    }
}

void TraceFiles::checkKinds(const std::string& kinds) {
    parseKinds(kinds);
}

void TraceFiles::addSinks(std::vector<EventSink*>& sinks) {
    if (perfetto_) {
        sinks.push_back(&*perfetto_);
    }
    if (vcd_) {
        sinks.push_back(&*vcd_);
    }
}

void TraceFiles::close() {
    perfettoFile_.close();
    vcdFile_.close();
    if ((perfetto_ && !perfettoFile_) || (vcd_ && !vcdFile_)) {
        throw std::runtime_error("can't write the trace files: is the disk full?");
    }
}

}  // namespace vnpu::sim
