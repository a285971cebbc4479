/* LD_PRELOAD: a disk that is slow, full now and then, or writes less than it was given. Only files below DISK_PATH. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_uint count;

/* The same calls fail in every run with one seed, as far as threads come in one order. */
static unsigned chance(void) {
    unsigned value = atomic_fetch_add(&count, 1) * 2654435761u + (unsigned)atoi(getenv("DISK_SEED") ?: "1") * 40503u;
    return (value ^ value >> 15) % 100;
}

static int is_ours(int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *ours = getenv("DISK_PATH");
    return ours && strncmp(path, ours, strlen(ours)) == 0;
}

/* 0: as it is; 1: an error; 2: half of it. */
static int fate(int descriptor) {
    if (!is_ours(descriptor)) return 0;
    const char *kind = getenv("DISK_KIND") ?: "";
    unsigned luck = chance();
    if (strcmp(kind, "slow") == 0) { if (luck < 20) usleep(luck * 30000); return 0; }
    if (strcmp(kind, "full") == 0 && luck < 30) { errno = ENOSPC; return 1; }
    if (strcmp(kind, "lying") == 0) { if (luck < 10) { errno = EIO; return 1; } return luck < 50 ? 2 : 0; }
    return 0;
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    int what = fate(descriptor);
    return what == 1 ? -1 : real(descriptor, bytes, what == 2 && size > 1 ? size / 2 : size);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwrite");
    int what = fate(descriptor);
    return what == 1 ? -1 : real(descriptor, bytes, what == 2 && size > 1 ? size / 2 : size, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
    return pwrite(descriptor, bytes, size, offset);
}

int fsync(int descriptor) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    return fate(descriptor) == 1 ? -1 : real(descriptor);
}

int fdatasync(int descriptor) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    return fate(descriptor) == 1 ? -1 : real(descriptor);
}
