// SPDX-License-Identifier: Apache-2.0
#include "sim/report/device_peaks.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"

namespace {

using vnpu::sim::describeDevice;
using vnpu::sim::DevicePeaks;
using vnpu::sim::devicePeaks;
using vnpu::sim::loadConfig;

TEST_SUITE_BEGIN("sim/report/device_peaks");

TEST_CASE("the peaks of edge are derived [E-3]") {
    const DevicePeaks peaks = devicePeaks(loadConfig("edge"));
    CHECK(peaks.macsPerCycle == 256);
    CHECK(peaks.tops == doctest::Approx(0.512));  // 256 x 2 x 1 GHz
    CHECK(peaks.dramGBps == doctest::Approx(3.75));
    CHECK(peaks.sramBytesPerCycle == 8 * 32);
    CHECK(peaks.balanceMacsPerByte == doctest::Approx(256 / 3.75));
}

TEST_CASE("peaks at another clock are derived [E-3]") {
    const DevicePeaks peaks = devicePeaks(loadConfig("tpu128"));
    CHECK(peaks.tops == doctest::Approx(22.9376));  // 16384 x 2 x 0.7 GHz
    CHECK(peaks.dramGBps == doctest::Approx(358.0));
    CHECK(peaks.clockMhz == doctest::Approx(700.0));
}

TEST_CASE("a device is described in one line [E-3]") {
    CHECK(describeDevice(loadConfig("edge")) ==
          "edge: 16 x 16 MACs (weight-stationary) at 1000 MHz, 0.512 TOPS, 512 KiB SRAM, DRAM "
          "3.75 GB/s");
}

TEST_SUITE_END();

}  // namespace
