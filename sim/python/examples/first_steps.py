# SPDX-License-Identifier: Apache-2.0
"""A run, a sweep, and a device that is booted register by register."""

import numpy as np

import vnpu


def slowest_layers() -> None:
    result = vnpu.run("default", overrides={"client.camera.rate_hz": 60}, timing_only=True)
    print(f"camera: {result.figures['p99_ms[camera]']:.3f} ms (P99)")
    layers = result.layers  # pandas.DataFrame(layers) is a table of them
    for i in np.argsort(layers["cycles"])[::-1][:3]:
        print(f"{layers['client'][i]} {layers['type'][i]}: {layers['cycles'][i]:.0f} cycles")


def latency_by_rate() -> None:
    result = vnpu.sweep(
        "default",
        {"client.camera.rate_hz": [30, 120], "scenario.timing_only": [True]},
        columns=["mean_ms[camera]"],
    )
    for rate, ms in zip(result.rows["rate_hz"], result.rows["mean_ms[camera]_mean"]):
        print(f"{rate} Hz: {ms:.3f} ms")


def boot() -> None:
    device = vnpu.Device("edge")
    # struct BootParameters: magic, size, versions of boot, mailbox, rings and commands
    parameters = device.view(device.memory_address, 16, np.uint32)
    parameters[:5] = [0x544F4F42, 64, 0x00010001, 0x00020001, 0x00020004]
    parameters[5] = device.read32("COMMAND_STREAM_VERSION")
    device.write32("BOOT_PARAMETERS_LO", device.memory_address & 0xFFFFFFFF)
    device.write32("BOOT_PARAMETERS_HI", device.memory_address >> 32)
    device.write32("IRQ_MASK", vnpu.REGISTERS["IRQ_STATUS"].fields["MESSAGE"].mask)
    device.write32("CONTROL", 0)  # out of reset
    device.write32("CONTROL", vnpu.REGISTERS["CONTROL"].fields["BOOT"].mask)
    if not vnpu.advance_to_interrupt(10**9):
        raise SystemExit("no interrupt within a millisecond")
    state = device.fields("STATUS")["STATE"]
    message = device.read32("MAILBOX_OUT") & 0xFFFF
    print(f"state {state}, message {message:#x} at {vnpu.now()} ps")


if __name__ == "__main__":
    slowest_layers()
    latency_by_rate()
    boot()
