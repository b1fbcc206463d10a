// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/qtest_wires.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <stdexcept>
#include <utility>

namespace vnpu::sim {

namespace {

// chosen: far more lines than a guest leaves unanswered while QEMU runs
constexpr std::size_t kMostUnsentBytes = 1 << 20;

}  // namespace

QtestWires::QtestWires(android::base::unique_fd socket) : socket_(std::move(socket)) {}

void QtestWires::setInput(std::uint32_t input, bool isHigh) {
    send(fmt::format("set_irq_in /machine/i440fx/ioapic unnamed-gpio-in {} {}\n", input,
                     isHigh ? 1 : 0));
}

void QtestWires::sendMessage(std::uint64_t address, std::uint32_t data) {
    send(fmt::format("writel {:#x} {:#x}\n", address, data));
}

void QtestWires::send(const std::string& line) {
    unsent_ += line;
}

void QtestWires::exchange() {
    while (!unsent_.empty()) {
        const ssize_t sent =
                ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0) {
            break;
        }
        unsent_.erase(0, static_cast<std::size_t>(sent));
    }
    if (unsent_.size() > kMostUnsentBytes) {
        throw std::runtime_error("QEMU does not take interrupts from its qtest socket");
    }
    char text[4096];
    ssize_t got = 0;
    while ((got = recv(socket_.get(), text, sizeof(text), MSG_DONTWAIT)) > 0) {
        for (const char character : std::string_view(text, static_cast<std::size_t>(got))) {
            if (character != '\n') {
                answer_ += character;
                continue;
            }
            // "OK", or "FAIL" or "ERR" with a reason; "IRQ" lines are announcements.
            if (answer_.starts_with("FAIL") || answer_.starts_with("ERR")) {
                throw std::runtime_error(
                        fmt::format("QEMU refuses an interrupt: \"{}\"; an interrupt pin needs "
                                    "-machine pc",
                                    answer_));
            }
            answer_.clear();
        }
    }
    isClosed_ = got == 0;
}

}  // namespace vnpu::sim
