// SPDX-License-Identifier: Apache-2.0
#include "driver/control/setup_journal.h"

namespace vnpu::driver {

void SetupJournal::note(const fw::Message& request) {
    const auto forget = [this](auto&& isSame) { std::erase_if(messages_, isSame); };
    const std::uint32_t context = request.target.context;
    const std::uint32_t ring = request.target.ring;
    switch (request.type) {
        case fw::MessageType::kCreateContext:
        case fw::MessageType::kCreateRing:
            messages_.push_back(request);
            break;
        case fw::MessageType::kDestroyContext:
            forget([&](const fw::Message& m) {
                return m.type == fw::MessageType::kCreateContext && m.target.context == context;
            });
            break;
        case fw::MessageType::kDestroyRing:
            forget([&](const fw::Message& m) {
                return (m.type == fw::MessageType::kCreateRing ||
                        m.type == fw::MessageType::kSuspendRing) &&
                       m.target.ring == ring;
            });
            break;
        case fw::MessageType::kSetPower:
            forget([&](const fw::Message& m) { return m.type == request.type; });
            if (request.value != 0) {
                messages_.push_back(request);
            }
            break;
        case fw::MessageType::kSetScheduling:
            forget([&](const fw::Message& m) { return m.type == request.type; });
            messages_.push_back(request);
            break;
        case fw::MessageType::kSuspendRing:
        case fw::MessageType::kResumeRing:
            forget([&](const fw::Message& m) {
                return m.type == fw::MessageType::kSuspendRing && m.target.ring == ring;
            });
            if (request.type == fw::MessageType::kSuspendRing) {
                messages_.push_back(request);
            }
            break;
        default:
            break;
    }
}

}  // namespace vnpu::driver
