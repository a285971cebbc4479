// Declarations that Swift's module of the C library lacks.
#pragma once

#include <malloc.h>
#include <pthread.h>

// <pthread.h> declares it for _GNU_SOURCE only, which Swift's importer does not define.
extern int pthread_setname_np(pthread_t thread, const char *name);

// <sys/mman.h> does so with this one.
extern int memfd_create(const char *name, unsigned int flags);

// <unistd.h> too.
extern int syncfs(int descriptor);
