// Lets the thread sanitizer see Swift's Mutex.
//
// The mutex takes its fast path in the code that uses it, where the sanitizer watches the atomics.
// When it is contended, the kernel hands it on within libswiftSynchronization, which the sanitizer
// does not watch: it then reports the two holders as racing. This library is loaded before that
// one, and tells what has been handed on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// The sanitizer's own, where it is linked in.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT_METHOD void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK_SLOW);
SWIFT_METHOD void unlock_slow(SELF mutex) __asm__(UNLOCK_SLOW);

SWIFT_METHOD void lock_slow(uint32_t thread, SELF mutex) {
  typedef SWIFT_METHOD void (*function)(uint32_t, SELF);
  ((function)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT_METHOD void unlock_slow(SELF mutex) {
  typedef SWIFT_METHOD void (*function)(SELF);
  if (__tsan_release) __tsan_release(mutex);
  ((function)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
