// SPDX-License-Identifier: Apache-2.0
#include "driver/control/setup_journal.h"

namespace vnpu::driver {

void SetupJournal::note(const fw::Message& request) {
    using Type = fw::MessageType;
    const auto forget = [this](Type type, const auto& isSame) {
        std::erase_if(messages_, [&](const fw::Message& m) { return m.type == type && isSame(m); });
    };
    const auto any = [](const fw::Message&) { return true; };
    const auto ofContext = [&](const fw::Message& m) {
        return m.target.context == request.target.context;
    };
    const auto ofRing = [&](const fw::Message& m) { return m.target.ring == request.target.ring; };
    bool isKept = false;
    switch (request.type) {
        case Type::kCreateContext:
        case Type::kCreateRing:
            isKept = true;
            break;
        case Type::kDestroyContext:
            forget(Type::kCreateContext, ofContext);
            break;
        case Type::kDestroyRing:
            forget(Type::kCreateRing, ofRing);
            forget(Type::kSuspendRing, ofRing);
            break;
        case Type::kSetPower:
            forget(Type::kSetPower, any);
            isKept = request.value != 0;
            break;
        case Type::kSetScheduling:
            forget(Type::kSetScheduling, any);
            isKept = true;
            break;
        case Type::kSuspendRing:
        case Type::kResumeRing:
            forget(Type::kSuspendRing, ofRing);
            isKept = request.type == Type::kSuspendRing;
            break;
        default:
            break;
    }
    if (isKept) {
        messages_.push_back(request);
    }
}

}  // namespace vnpu::driver
