// SPDX-License-Identifier: Apache-2.0
/*
 * The functions of vnpu_device.h that driver/minimal calls, forwarded to the library that the
 * variable VNPU_LIBRARY names, which is loaded by the first call and unloaded with the device.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vnpu_device.h>

static void* library;

static void* find(const char* name) {
    void* symbol;
    if (library == NULL) {
        library = dlopen(getenv("VNPU_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    }
    symbol = library == NULL ? NULL : dlsym(library, name);
    if (symbol == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return symbol;
}

/* ISO C has no conversion of an object pointer to a function pointer; POSIX has this one. */
#define FORWARD(result, name, parameters, arguments) \
    result name parameters {                         \
        result(*function) parameters;                \
        void* const symbol = find(#name);            \
        memcpy(&function, &symbol, sizeof(symbol));  \
        return function arguments;                   \
    }

FORWARD(vnpu_status, vnpu_device_create, (const vnpu_options* options, vnpu_device** device),
        (options, device))
FORWARD(vnpu_status, vnpu_device_read32, (vnpu_device * device, uint32_t offset, uint32_t* value),
        (device, offset, value))
FORWARD(vnpu_status, vnpu_device_write32, (vnpu_device * device, uint32_t offset, uint32_t value),
        (device, offset, value))
FORWARD(vnpu_status, vnpu_advance_to_interrupt, (uint64_t picoseconds), (picoseconds))
FORWARD(const char*, vnpu_last_error, (void), ())
FORWARD(uint64_t, vnpu_device_lint_count, (const vnpu_device* device), (device))

void vnpu_device_destroy(vnpu_device* device) {
    void (*function)(vnpu_device*);
    void* const symbol = find("vnpu_device_destroy");
    memcpy(&function, &symbol, sizeof(symbol));
    function(device);
    if (dlclose(library) != 0) {
        fprintf(stderr, "%s\n", dlerror());
    }
}
