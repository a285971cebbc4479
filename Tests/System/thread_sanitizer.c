// Tells ThreadSanitizer what it cannot see, since Swift's runtime is not instrumented. To be loaded before the program
// (LD_PRELOAD); without it correct code is reported as a race:
//
// - the kernel hands a contended Mutex from one thread to the next,
// - a copy of an array is given up by one thread, and another one, which finds itself the last owner, writes in place.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Not there in programs without ThreadSanitizer, which are started as well.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static void acquire(void *address) {
  if (__tsan_acquire && address) __tsan_acquire(address);
}

static void release(void *address) {
  if (__tsan_release && address) __tsan_release(address);
}

// The runtime's function of this name.
#define REAL(name, type)                                          \
  ({                                                              \
    static type real;                                             \
    if (!real) real = (type)dlsym(RTLD_NEXT, name);               \
    real;                                                         \
  })

// MARK: Synchronization._MutexHandle, whose functions are called where another thread has the Mutex

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t, SELF);
typedef SWIFT bool (*try_lock_function)(SELF);
typedef SWIFT void (*unlock_function)(SELF);

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
  REAL(LOCK, lock_function)(thread, self);
  acquire(self);
}

SWIFT bool try_lock(SELF) {
  bool is_locked = REAL(TRY_LOCK, try_lock_function)(self);
  if (is_locked) acquire(self);
  return is_locked;
}

SWIFT void unlock(SELF) {
  release(self);
  REAL(UNLOCK, unlock_function)(self);
}

// MARK: Counts of references

typedef void (*release_function)(void *);
typedef void (*release_n_function)(void *, uint32_t);
typedef bool (*is_unique_function)(const void *);

// What the storage of a string points to; nothing where a short text itself is in it, or one that nobody frees.
static void *object(void *bridge) {
  uintptr_t bits = (uintptr_t)bridge;
  return bits >> 63 ? 0 : (void *)(bits & 0x0ffffffffffffff8);
}

// Whoever gives up the last reference destroys what all others have used.
static void give_up(void *object) {
  release(object);
  acquire(object);
}

void swift_release(void *object) {
  give_up(object);
  REAL("swift_release", release_function)(object);
}

void swift_release_n(void *object, uint32_t count) {
  give_up(object);
  REAL("swift_release_n", release_n_function)(object, count);
}

void swift_bridgeObjectRelease(void *bridge) {
  give_up(object(bridge));
  REAL("swift_bridgeObjectRelease", release_function)(bridge);
}

void swift_bridgeObjectRelease_n(void *bridge, uint32_t count) {
  give_up(object(bridge));
  REAL("swift_bridgeObjectRelease_n", release_n_function)(bridge, count);
}

bool swift_isUniquelyReferenced_native(const void *object) {
  bool is_unique = REAL("swift_isUniquelyReferenced_native", is_unique_function)(object);
  if (is_unique) acquire((void *)object);
  return is_unique;
}

bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  bool is_unique = REAL("swift_isUniquelyReferenced_nonNull_native", is_unique_function)(object);
  if (is_unique) acquire((void *)object);
  return is_unique;
}
