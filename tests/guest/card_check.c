// SPDX-License-Identifier: Apache-2.0
/*
 * Checks the PCI card from a process of the guest, without a kernel driver: configuration space,
 * registers, bus mastering and DMA by booting the firmware, and reset. Prints a line for each
 * check. Needs root, for resource0, for the configuration space, and for physical addresses of its
 * memory.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Registers: hw_model/regs/registers.def. */
#define REG_ID 0x0000
#define REG_COMMAND_STREAM_VERSION 0x0008
#define REG_CONTROL 0x0040
#define REG_STATUS 0x0044
#define REG_BOOT_PARAMETERS_LO 0x0048
#define REG_BOOT_PARAMETERS_HI 0x004c
#define REG_IRQ_STATUS 0x0060
#define REG_IRQ_MASK 0x0064
#define REG_MAILBOX_OUT_CONTROL 0x00e0
#define REG_CONFIG_RESIDENT 0x0140

#define CONTROL_RESET 1u
#define CONTROL_BOOT 2u
#define STATE_READY 2u
#define STATE_BOOT_FAILED 3u
#define IRQ_MESSAGE 2u

/* Configuration space. */
#define PCI_COMMAND 0x04
#define PCI_STATUS 0x06
#define PCI_CAPABILITIES 0x34
#define PCI_MEMORY 0x2
#define PCI_MASTER 0x4
#define PCI_INTX_DISABLE 0x400
#define PCI_STATUS_INTERRUPT 0x8
#define PCI_STATUS_MASTER_ABORT 0x2000

/* firmware/api/boot.h */
struct boot_parameters {
    uint32_t magic, size, boot_api, mailbox_api, ring_api, command_stream, flags, log_bytes;
    uint64_t log_address, heartbeat_cycles, dump_address, watchdog_cycles;
};

static int failures;
static char device_folder[256];
static volatile uint32_t* registers;
static int config_file;

static void check(int is_right, const char* what, unsigned long long seen) {
    printf("%s: %s (0x%llx)\n", is_right ? "ok" : "FAILED", what, seen);
    failures += !is_right;
}

static int open_in_device(const char* name) {
    char path[320];
    int file;

    snprintf(path, sizeof(path), "%s/%s", device_folder, name);
    file = open(path, O_RDWR | O_SYNC);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    return file;
}

static uint32_t read_register(unsigned offset) {
    return registers[offset / 4];
}

static void write_register(unsigned offset, uint32_t value) {
    registers[offset / 4] = value;
}

static unsigned read_config(unsigned offset, unsigned size) {
    uint32_t value = 0;

    if (pread(config_file, &value, size, offset) != (ssize_t)size)
        perror("config");
    return value;
}

static void write_config(unsigned offset, unsigned value, unsigned size) {
    if (pwrite(config_file, &value, size, offset) != (ssize_t)size)
        perror("config");
}

/* Finds the card; its folder in /sys. */
static int find_card(void) {
    glob_t folders;
    unsigned id;
    size_t i;

    glob("/sys/bus/pci/devices/*", 0, NULL, &folders);
    for (i = 0; i < folders.gl_pathc; ++i) {
        char path[320];
        FILE* file;

        snprintf(path, sizeof(path), "%s/vendor", folders.gl_pathv[i]);
        file = fopen(path, "r");
        if (file && fscanf(file, "%x", &id) == 1 && id == 0x1234) {
            fclose(file);
            snprintf(path, sizeof(path), "%s/device", folders.gl_pathv[i]);
            file = fopen(path, "r");
            if (file && fscanf(file, "%x", &id) == 1 && id == 0x4e50) {
                fclose(file);
                snprintf(device_folder, sizeof(device_folder), "%s", folders.gl_pathv[i]);
                return 1;
            }
        }
        if (file)
            fclose(file);
    }
    return 0;
}

/* The bus address of a page of this process, which must be locked. */
static uint64_t bus_address(const void* page) {
    uint64_t entry = 0;
    int file = open("/proc/self/pagemap", O_RDONLY);

    if (pread(file, &entry, 8, (uintptr_t)page / 4096 * 8) != 8 || !(entry >> 63))
        check(0, "physical address of a page", entry);
    close(file);
    return (entry & ((1ull << 55) - 1)) * 4096;
}

/* Starts the firmware; returns STATUS.STATE at its end. */
static unsigned boot(uint64_t parameters) {
    unsigned tries, state = 0;

    write_register(REG_CONTROL, CONTROL_RESET);
    write_register(REG_IRQ_STATUS, ~0u);
    write_register(REG_BOOT_PARAMETERS_LO, (uint32_t)parameters);
    write_register(REG_BOOT_PARAMETERS_HI, (uint32_t)(parameters >> 32));
    write_register(REG_CONTROL, 0);
    write_register(REG_CONTROL, CONTROL_BOOT);
    for (tries = 0; tries < 10000 && state < STATE_READY; ++tries)
        state = read_register(REG_STATUS) & 15;
    return state;
}

static void check_boot(void) {
    unsigned char* memory = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
    struct boot_parameters* parameters = (void*)memory;
    unsigned command = read_config(PCI_COMMAND, 2);
    unsigned i, written = 0;

    memset(memory, 0, 3 * 4096);
    parameters->magic = 0x544f4f42;
    parameters->size = sizeof(*parameters);
    parameters->boot_api = 0x00010001;
    parameters->mailbox_api = 0x00020001;
    parameters->ring_api = 0x00020004;
    parameters->command_stream = read_register(REG_COMMAND_STREAM_VERSION);
    parameters->log_bytes = 4096;
    parameters->log_address = bus_address(memory + 4096);

    write_config(PCI_COMMAND, (command | PCI_MEMORY) & ~PCI_MASTER, 2);
    i = boot(bus_address(memory));
    check(i != STATE_READY, "no boot without bus mastering", i);
    write_config(PCI_COMMAND, command | PCI_MEMORY | PCI_MASTER, 2);
    write_config(PCI_STATUS, PCI_STATUS_MASTER_ABORT, 2);
    i = boot(1ull << 40);
    check(i != STATE_READY, "no boot from where there is no memory", i);
    i = read_config(PCI_STATUS, 2);
    check(i & PCI_STATUS_MASTER_ABORT, "status tells of the master abort", i);
    write_config(PCI_STATUS, PCI_STATUS_MASTER_ABORT, 2);
    i = read_config(PCI_STATUS, 2);
    check(!(i & PCI_STATUS_MASTER_ABORT), "and forgets it", i);

    i = boot(bus_address(memory));
    check(i == STATE_READY, "firmware boots from memory of the guest", i);
    for (i = 0; i < 10000 && !(read_register(REG_IRQ_STATUS) & IRQ_MESSAGE); ++i)
        ;
    check(read_register(REG_IRQ_STATUS) & IRQ_MESSAGE, "firmware sends a message",
          read_register(REG_MAILBOX_OUT_CONTROL));
    for (i = 0; i < 4096; ++i)
        written += memory[4096 + i] != 0;
    check(written != 0, "firmware writes its log", written);
}

/* No handler: the line's level alone, with the pin kept from the guest's interrupt controller. */
static void check_interrupt_status(void) {
    unsigned command = read_config(PCI_COMMAND, 2);

    write_config(PCI_COMMAND, command | PCI_INTX_DISABLE, 2);
    write_register(REG_IRQ_MASK, IRQ_MESSAGE);
    read_register(REG_ID);
    check(read_config(PCI_STATUS, 2) & PCI_STATUS_INTERRUPT, "status tells of the interrupt",
          read_config(PCI_STATUS, 2));
    write_register(REG_IRQ_MASK, 0);
    read_register(REG_ID);
    check(!(read_config(PCI_STATUS, 2) & PCI_STATUS_INTERRUPT), "and of its end",
          read_config(PCI_STATUS, 2));
    write_config(PCI_COMMAND, command, 2);
}

static void check_resident(void) {
    unsigned kib = read_register(REG_CONFIG_RESIDENT) & 0xffff;
    volatile uint64_t* memory;

    if (!kib)
        return;
    memory = mmap(NULL, kib << 10, PROT_READ | PROT_WRITE, MAP_SHARED, open_in_device("resource2"),
                  0);
    memory[1] = 0x0123456789abcdefull;
    ((volatile uint8_t*)memory)[9] = 0x55;
    check(memory[1] == 0x0123456789ab55efull, "resident memory keeps bytes", memory[1]);
}

static void measure_read(void) {
    struct timespec start, end;
    int i;

    clock_gettime(CLOCK_MONOTONIC, &start);
    for (i = 0; i < 1000; ++i)
        read_register(REG_ID);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("a register read takes %ld us\n",
           (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000);
}

int main(void) {
    if (!find_card()) {
        printf("FAILED: no card 1234:4e50\n");
        return 1;
    }
    printf("card: %s\n", device_folder);
    config_file = open_in_device("config");
    write_config(PCI_COMMAND, read_config(PCI_COMMAND, 2) | PCI_MEMORY, 2);
    registers =
            mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED, open_in_device("resource0"), 0);
    if (registers == MAP_FAILED) {
        perror("resource0");
        return 1;
    }
    check(read_config(0x0a, 2) == 0x1200, "class of an accelerator", read_config(0x0a, 2));
    check(read_config(0x3d, 1) == 1, "interrupt pin A", read_config(0x3d, 1));
    check((read_config(read_config(PCI_CAPABILITIES, 1), 2) & 0xff) == 5, "capability of MSI",
          read_config(read_config(PCI_CAPABILITIES, 1), 2));
    check(read_register(REG_ID) == 0x55504e56, "identity register", read_register(REG_ID));
    check(read_register(0x3ffc & 0xffc) == ~0u, "no register reads all ones",
          read_register(0x3ffc & 0xffc));
    check_boot();
    check_interrupt_status();
    check_resident();
    measure_read();
    /* Left as a driver expects it. */
    write_register(REG_CONTROL, CONTROL_RESET);
    write_config(PCI_COMMAND, read_config(PCI_COMMAND, 2) & ~PCI_MASTER, 2);
    printf("card check: %s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
