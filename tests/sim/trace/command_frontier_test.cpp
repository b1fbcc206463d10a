// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/command_frontier.h"

#include <doctest/doctest.h>

namespace {

using vnpu::hw::Engine;
using vnpu::sim::CommandFrontier;

TEST_SUITE_BEGIN("sim/trace/command_frontier");

TEST_CASE("everything is complete while no command is in progress") {
    CHECK(CommandFrontier().completeBefore(50) == 50);
}

TEST_CASE("a pushed command delays completeness from its push on") {
    CommandFrontier frontier;
    frontier.onQueueDepth(10, Engine::kMac, 1);
    CHECK(frontier.completeBefore(50) == 10);
    frontier.onQueueDepth(20, Engine::kMac, 0);  // started, but not yet ended
    CHECK(frontier.completeBefore(50) == 10);
    frontier.onCommandEnd(Engine::kMac, 20);
    CHECK(frontier.completeBefore(50) == 50);
}

TEST_CASE("a command cannot begin its wait before its predecessor starts") {
    CommandFrontier frontier;
    frontier.onQueueDepth(10, Engine::kMac, 1);
    frontier.onQueueDepth(11, Engine::kMac, 2);
    frontier.onCommandEnd(Engine::kMac, 30);
    CHECK(frontier.completeBefore(50) == 30);
}

TEST_CASE("the slowest engine determines the frontier") {
    CommandFrontier frontier;
    frontier.onQueueDepth(10, Engine::kMac, 1);
    frontier.onQueueDepth(5, Engine::kDma1, 1);
    CHECK(frontier.completeBefore(50) == 5);
    frontier.onCommandEnd(Engine::kDma1, 7);
    CHECK(frontier.completeBefore(50) == 10);
}

TEST_CASE("the start and end of a job discard dropped commands") {
    CommandFrontier frontier;
    frontier.onQueueDepth(10, Engine::kMac, 1);
    frontier.onJobBoundary();
    CHECK(frontier.completeBefore(50) == 50);
    frontier.onQueueDepth(60, Engine::kMac, 1);
    CHECK(frontier.completeBefore(70) == 60);
}

TEST_SUITE_END();

}  // namespace
