// SPDX-License-Identifier: Apache-2.0
/*
 * Boots the device's firmware and prints its ready message. C99:
 *
 *     cc -std=c99 boot.c $(pkg-config --cflags --libs vnpu_device) -o boot
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vnpu/registers.h>
#include <vnpu_device.h>

#define MEMORY_BASE UINT64_C(0x80000000)
#define MEMORY_BYTES (1 << 20)

static unsigned char memory[MEMORY_BYTES];
static int line;

static void must(vnpu_status status) {
    if (status != VNPU_OK) {
        fprintf(stderr, "%s: %s\n", vnpu_status_name(status), vnpu_last_error());
        exit(1);
    }
}

static unsigned char* find(uint64_t address, uint64_t size) {
    const uint64_t offset = address - MEMORY_BASE;
    return offset < MEMORY_BYTES && size <= MEMORY_BYTES - offset ? memory + offset : NULL;
}

static int dma_read(void* user, uint64_t address, void* data, uint64_t size) {
    const unsigned char* at = find(address, size);
    (void)user;
    if (at == NULL) {
        return 1;
    }
    memcpy(data, at, size);
    return 0;
}

static int dma_write(void* user, uint64_t address, const void* data, uint64_t size) {
    unsigned char* at = find(address, size);
    (void)user;
    if (at == NULL) {
        return 1;
    }
    memcpy(at, data, size);
    return 0;
}

static void irq(void* user, int level) {
    (void)user;
    line = level;
}

static uint32_t read_register(vnpu_device* device, uint32_t offset) {
    uint32_t value;
    must(vnpu_device_read32(device, offset, &value));
    return value;
}

int main(int argc, char** argv) {
    /* struct BootParameters: magic, size, versions of boot, mailbox, rings and commands */
    uint32_t parameters[16] = {0x544F4F42, 64, 0x00010001, 0x00020001, 0x00020004};
    vnpu_options options;
    vnpu_device* device;

    memset(&options, 0, sizeof(options));
    options.struct_size = sizeof(options);
    options.config = argc > 1 ? argv[1] : "edge";
    options.host.dma_read = dma_read;
    options.host.dma_write = dma_write;
    options.host.irq = irq;
    must(vnpu_device_create(&options, &device));

    parameters[5] = read_register(device, VNPU_REG_COMMAND_STREAM_VERSION);
    memcpy(memory, parameters, sizeof(parameters));
    must(vnpu_device_write32(device, VNPU_REG_BOOT_PARAMETERS_LO, (uint32_t)MEMORY_BASE));
    must(vnpu_device_write32(device, VNPU_REG_BOOT_PARAMETERS_HI, (uint32_t)(MEMORY_BASE >> 32)));
    must(vnpu_device_write32(device, VNPU_REG_IRQ_MASK, VNPU_IRQ_STATUS_MESSAGE_MASK));
    must(vnpu_device_write32(device, VNPU_REG_CONTROL, 0)); /* out of reset */
    must(vnpu_device_write32(device, VNPU_REG_CONTROL, VNPU_CONTROL_BOOT_MASK));
    must(vnpu_advance_to_interrupt(1000000 * VNPU_PS_PER_NS));
    if (!line) {
        fprintf(stderr, "no interrupt within a millisecond\n");
        return 1;
    }
    printf("state %" PRIu32 ", message 0x%" PRIx32 " at %" PRIu64 " ps\n",
           read_register(device, VNPU_REG_STATUS) & VNPU_STATUS_STATE_MASK,
           read_register(device, VNPU_REG_MAILBOX_OUT) & 0xFFFF, vnpu_now());
    must(vnpu_device_write32(device, VNPU_REG_MAILBOX_OUT_CONTROL, 0));
    must(vnpu_device_write32(device, VNPU_REG_IRQ_STATUS, VNPU_IRQ_STATUS_MESSAGE_MASK));
    if (line) {
        fprintf(stderr, "the interrupt line is still high\n");
        return 1;
    }
    vnpu_device_destroy(device);
    return 0;
}
