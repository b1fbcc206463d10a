// SPDX-License-Identifier: Apache-2.0
#include "driver/control/setup_journal.h"

#include <doctest/doctest.h>

using namespace vnpu::driver;
namespace fw = vnpu::fw;

TEST_SUITE_BEGIN("driver/control/setup_journal");

namespace {

fw::Message message(fw::MessageType type, std::uint32_t context, std::uint32_t ring = 0) {
    fw::Message made{};
    made.type = type;
    made.target.context = context;
    made.target.ring = ring;
    return made;
}

}  // namespace

TEST_CASE("objects that were created and not destroyed are created again, in their order [E-7]") {
    using Type = fw::MessageType;
    SetupJournal journal;
    journal.note(message(Type::kCreateContext, 0));
    journal.note(message(Type::kCreateRing, 0, 3));
    journal.note(message(Type::kCreateContext, 1));
    journal.note(message(Type::kSetScheduling, 0));
    journal.note(message(Type::kCreateRing, 1, 4));
    journal.note(message(Type::kSuspendRing, 1, 4));
    journal.note(message(Type::kInvalidateTlb, 1));
    journal.note(message(Type::kSetScheduling, 0));
    journal.note(message(Type::kDestroyRing, 0, 3));
    journal.note(message(Type::kDestroyContext, 0));
    REQUIRE_EQ(journal.messages().size(), 4);
    CHECK_EQ(journal.messages()[0].type, Type::kCreateContext);
    CHECK_EQ(journal.messages()[0].target.context, 1);
    CHECK_EQ(journal.messages()[1].target.ring, 4);
    CHECK_EQ(journal.messages()[2].type, Type::kSuspendRing);
    CHECK_EQ(journal.messages()[3].type, Type::kSetScheduling);
    journal.note(message(Type::kResumeRing, 1, 4));
    CHECK_EQ(journal.messages().size(), 3);
}

TEST_CASE("only the last power vote is repeated, and none after a release [E-7] [B-1]") {
    SetupJournal journal;
    fw::Message vote = message(fw::MessageType::kSetPower, 0);
    vote.value = fw::kPowerHeld;
    journal.note(vote);
    journal.note(vote);
    CHECK_EQ(journal.messages().size(), 1);
    vote.value = 0;
    journal.note(vote);
    CHECK(journal.messages().empty());
}

TEST_SUITE_END();
