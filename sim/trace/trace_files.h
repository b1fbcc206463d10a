// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/events.h"
#include "sim/trace/perfetto_sink.h"
#include "sim/trace/vcd_sink.h"

namespace vnpu::sim {

/// The trace files of a run, trace.perfetto-trace and trace.vcd, written during the run.
class TraceFiles {
  public:
    /// `kinds`: perfetto, vcd, or both separated by a comma; empty: none. The folder must exist.
    /// Throws InputError as checkKinds(), and for a file that cannot be written.
    TraceFiles(const std::string& kinds, const std::filesystem::path& folder,
               VcdWriter::Window vcdWindow = {});

    /// Throws InputError for other kinds.
    static void checkKinds(const std::string& kinds);

    void addSinks(std::vector<EventSink*>& sinks);

    /// Closes the files after the run; throws std::runtime_error if something could not be written.
    void close();

  private:
    std::ofstream perfettoFile_;
    std::ofstream vcdFile_;
    std::optional<PerfettoSink> perfetto_;
    std::optional<VcdSink> vcd_;
};

}  // namespace vnpu::sim
