/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the library at argv[1] at run time, prints the device's identity, and unloads it. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <vnpu/registers.h>
#include <vnpu_device.h>

static int refuse_read(void* user, uint64_t address, void* data, uint64_t size) {
    (void)user, (void)address, (void)data, (void)size;
    return 1;
}

static int refuse_write(void* user, uint64_t address, const void* data, uint64_t size) {
    (void)user, (void)address, (void)data, (void)size;
    return 1;
}

static void ignore_irq(void* user, int level) {
    (void)user, (void)level;
}

/* ISO C has no conversion of an object pointer to a function pointer; POSIX has this one. */
static int find(void* library, const char* name, void* function) {
    void* const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

int main(int argc, char** argv) {
    void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    uint32_t (*version)(void);
    vnpu_status (*create)(const vnpu_options*, vnpu_device**);
    vnpu_status (*read32)(vnpu_device*, uint32_t, uint32_t*);
    vnpu_status (*advance)(uint64_t);
    void (*destroy)(vnpu_device*);
    vnpu_options options;
    vnpu_device* device;
    uint32_t value;

    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (!find(library, "vnpu_api_version", &version) ||
        version() >> 16 != VNPU_DEVICE_API_VERSION >> 16 ||
        !find(library, "vnpu_device_create", &create) ||
        !find(library, "vnpu_device_read32", &read32) || !find(library, "vnpu_advance", &advance) ||
        !find(library, "vnpu_device_destroy", &destroy)) {
        return 2;
    }
    memset(&options, 0, sizeof(options));
    options.struct_size = sizeof(options);
    options.host.dma_read = refuse_read;
    options.host.dma_write = refuse_write;
    options.host.irq = ignore_irq;
    if (create(&options, &device) != VNPU_OK || advance(1000) != VNPU_OK ||
        read32(device, VNPU_REG_ID, &value) != VNPU_OK) {
        return 3;
    }
    printf("%lx\n", (unsigned long)value);
    destroy(device);
    return dlclose(library) == 0 ? 0 : 4;
}
