// SPDX-License-Identifier: Apache-2.0
#include "sim/media/sound.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/sim/media/media_files.h"

namespace vnpu::test {
namespace {

using sim::InputError;
using sim::media::decodeWav;
using sim::media::Sound;
using Samples = std::vector<float>;

}  // namespace

TEST_SUITE_BEGIN("sim/media/sound");

TEST_CASE("16-bit samples become -1 to 1") {
    const Sound sound = decodeWav(waveFile(16000, 1, {0, 16384, -32768}), 10, "a.wav");
    CHECK(sound.sampleRate == 16000);
    CHECK(sound.frames == 3);
    CHECK(sound.samples == Samples{0.0F, 0.5F, -1.0F});
}

TEST_CASE("two channels are mixed to their mean") {
    const Sound sound = decodeWav(waveFile(8000, 2, {16384, 0, -16384, 16384}), 10, "a.wav");
    CHECK(sound.samples == Samples{0.25F, 0.0F});
}

TEST_CASE("only the wanted samples are decoded") {
    const Sound sound = decodeWav(waveFile(16000, 1, {0, 16384, -32768}), 2, "a.wav");
    CHECK(sound.frames == 3);
    CHECK(sound.samples == Samples{0.0F, 0.5F});
}

TEST_CASE("a file that is no WAV, and none at all, are refused by name [E-5]") {
    CHECK_THROWS_WITH_AS(decodeWav(FileBytes().text("no sound").bytes(), 1, "a.wav"),
                         doctest::Contains("a.wav: "), InputError);
    CHECK_THROWS_AS(decodeWav({}, 1, "a.wav"), InputError);
}

TEST_SUITE_END();

}  // namespace vnpu::test
