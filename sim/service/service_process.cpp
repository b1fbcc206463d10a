// SPDX-License-Identifier: Apache-2.0
#include "sim/service/service_process.h"

#include <android-base/unique_fd.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <utility>

namespace vnpu::sim {

using android::base::unique_fd;

namespace {

/// The first line without its line feed; empty if the other end closes before.
std::string readLine(int descriptor) {
    std::string line;
    char next = 0;
    while (read(descriptor, &next, 1) == 1 && next != '\n') {
        line += next;
    }
    return next == '\n' ? line : "";
}

}  // namespace

ServiceProcess::ServiceProcess(const std::string& program,
                               const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program, "serve", "--socket", socketPath()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    unique_fd output;
    unique_fd input;
    if (!android::base::Pipe(&output, &input)) {
        throw std::runtime_error("no pipe could be made");
    }
    process_.emplace(std::move(words), ChildProgram::Streams{.output = input.get()});
    input.reset();
    if (readLine(output.get()).empty()) {
        const int code = process_->end(SIGTERM);
        throw std::runtime_error(fmt::format("the service did not start (exit code {})", code));
    }
}

ServiceProcess::~ServiceProcess() {
    process_->end(SIGTERM);
}

}  // namespace vnpu::sim
