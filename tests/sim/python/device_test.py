# SPDX-License-Identifier: Apache-2.0
"""vnpu.Device. A process has one simulation, so that the cases share its devices, in this order."""

import ctypes
import signal
import threading
import unittest

import numpy as np

import vnpu

DEVICE_ID_OFFSET = 0  # hw_model/regs/registers.def
LEVELS = []
device = vnpu.Device("edge", lint=True, memory_bytes=1 << 20, on_interrupt=LEVELS.append)
timing = vnpu.Device("mobile", timing_only=True, memory_address=1 << 32)


def fail(level):
    raise LookupError(f"level {level}")


failing = vnpu.Device("edge", on_interrupt=fail)
# A function in C that sends SIGHUP (1) when the line rises, without a step of Python in between.
signaling = vnpu.Device("edge", on_interrupt=ctypes.PyDLL(None)["raise"])


def start(one):
    """Lets the firmware boot."""
    parameters = one.view(one.memory_address, 16, np.uint32)
    parameters[:] = 0
    parameters[:5] = [0x544F4F42, 64, 0x00010001, 0x00020001, 0x00020004]
    parameters[5] = one.read32("COMMAND_STREAM_VERSION")
    one.write32("BOOT_PARAMETERS_LO", one.memory_address & 0xFFFFFFFF)
    one.write32("BOOT_PARAMETERS_HI", one.memory_address >> 32)
    one.write32("IRQ_MASK", vnpu.REGISTERS["IRQ_STATUS"].fields["MESSAGE"].mask)
    one.write32("CONTROL", 0)
    one.write32("CONTROL", vnpu.REGISTERS["CONTROL"].fields["BOOT"].mask)


def boot(one):
    """Boots the firmware; returns whether its message came within a millisecond."""
    start(one)
    return vnpu.advance_to_interrupt(10**9)


class DeviceTest(unittest.TestCase):
    def test_1_registers_by_name_and_offset(self):
        self.assertEqual(vnpu.REGISTERS["ID"].offset, DEVICE_ID_OFFSET)
        self.assertEqual(device.read32("ID"), device.read32(0))
        self.assertEqual(device.fields("CONFIG_MAC")["ROWS"], 16)  # edge: 16 x 16
        self.assertEqual(device.fields("PLATFORM")["TIMING_ONLY"], 0)
        self.assertEqual(timing.fields("PLATFORM")["TIMING_ONLY"], 1)
        device.write32("IRQ_MASK", 3)
        self.assertEqual(device.read32("IRQ_MASK"), 3)
        device.write32("IRQ_MASK", 0)
        array = next(one for one in vnpu.REGISTERS.values() if one.count > 1)
        self.assertEqual(array.at(1), array.offset + array.stride)
        with self.assertRaises(IndexError):
            array.at(array.count)

    def test_2_refusals_have_the_text_of_the_library(self):
        with self.assertRaises(vnpu.DeviceError) as caught:
            device.read32(2)
        self.assertEqual(str(caught.exception), "offset is 0x2, expected a multiple of 4")
        self.assertEqual(caught.exception.status, "VNPU_INVALID_ARGUMENT")
        with self.assertRaises(vnpu.DeviceError) as caught:
            device.write32("ID", 1)
        self.assertEqual(str(caught.exception), "register ID at offset 0x0 is read-only")
        self.assertEqual(caught.exception.status, "VNPU_NO_REGISTER")
        self.assertEqual(device.lint_count, 2, device.log)
        self.assertEqual(len(device.log), 2)
        with self.assertRaises(vnpu.DeviceError) as caught:
            vnpu.Device("egde")
        self.assertEqual(caught.exception.status, "VNPU_BAD_CONFIG")
        with self.assertRaises(KeyError):
            device.read32("IDENTITY")
        for value in (-1, 2**32):
            with self.assertRaises(TypeError):
                device.write32("IRQ_MASK", value)
        with self.assertRaises(ValueError):
            vnpu.Device("edge", memory_bytes=0)
        for address, count in ((0, 1), (device.memory_address, (1 << 20) + 1)):
            with self.assertRaises(IndexError):
                device.view(address, count)

    def test_3_other_threads_are_refused(self):
        errors = []

        def read():
            try:
                device.read32("ID")
            except vnpu.DeviceError as error:
                errors.append(error.status)

        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
        self.assertEqual(errors, ["VNPU_WRONG_THREAD"])

    def test_4_firmware_boots_from_the_memory(self):
        mistakes = device.lint_count
        self.assertTrue(boot(device))
        self.assertEqual(device.lint_count, mistakes)
        self.assertLess(vnpu.now(), 10**9)
        self.assertEqual(device.fields("STATUS")["STATE"], 2)  # ready
        self.assertEqual(device.read32("MAILBOX_OUT") & 0xFFFF, 0x80)
        self.assertTrue(device.irq)
        self.assertEqual(device.interrupts, 1)
        device.write32("MAILBOX_OUT_CONTROL", 0)
        device.write32("IRQ_STATUS", vnpu.REGISTERS["IRQ_STATUS"].fields["MESSAGE"].mask)
        self.assertFalse(device.irq)
        self.assertEqual(LEVELS, [True, False])
        self.assertIn("STATUS", device.dump())
        # The other device's memory begins at another address.
        self.assertTrue(boot(timing))
        self.assertEqual(timing.fields("STATUS")["STATE"], 2)

    def test_5_reset_starts_anew_and_keeps_the_memory(self):
        device.reset()
        self.assertNotEqual(device.fields("STATUS")["STATE"], 2)
        self.assertEqual(device.view(device.memory_address, 1, np.uint32)[0], 0x544F4F42)
        self.assertTrue(boot(device))
        self.assertEqual(device.interrupts, 2)

    def test_6_time(self):
        begin = vnpu.now()
        vnpu.advance(12_345_678)
        self.assertEqual(vnpu.now(), begin + 12_345_678)
        vnpu.advance(10**12)  # a second, mostly without events
        self.assertEqual(vnpu.now(), begin + 12_345_678 + 10**12)
        with self.assertRaises(TypeError):
            vnpu.advance(-1)

    def test_7_resident_memory(self):
        size = device.fields("CONFIG_RESIDENT")["KIB"] << 10
        data = bytes(range(200))
        device.write_resident(size - 200, data)
        self.assertEqual(device.read_resident(size - 200, 200), data)
        device.write_resident(0, np.arange(4, dtype=np.uint16))
        self.assertEqual(device.read_resident(0, 8), bytes([0, 0, 1, 0, 2, 0, 3, 0]))
        self.assertEqual(len(device.read_resident(0, size)), size)
        with self.assertRaises(vnpu.DeviceError) as caught:
            device.write_resident(size - 199, data)
        self.assertIn(f"expected a range within the {size} bytes", str(caught.exception))
        with self.assertRaises(vnpu.DeviceError):
            device.read_resident(0, 2**60)
        with self.assertRaises(ValueError):
            device.write_resident(0, np.arange(9)[::2])

    def test_8_an_exception_of_a_callback_ends_the_call(self):
        begin = vnpu.now()
        with self.assertRaises(LookupError) as caught:
            boot(failing)
        self.assertEqual(str(caught.exception), "level True")
        self.assertLess(vnpu.now(), begin + 10**9)
        self.assertTrue(failing.irq)  # the device goes on
        self.assertEqual(failing.fields("STATUS")["STATE"], 2)

    def test_9_ctrl_c_ends_an_advance(self):
        signal.signal(signal.SIGHUP, signal.default_int_handler)
        begin = vnpu.now()
        with self.assertRaises(KeyboardInterrupt):
            start(signaling)
            vnpu.advance(10**9)
        # Python itself would look for the signal at the end of the call only.
        self.assertLess(vnpu.now(), begin + 10**9)


if __name__ == "__main__":
    unittest.main()
