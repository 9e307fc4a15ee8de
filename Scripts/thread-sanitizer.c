// Lets the thread sanitizer see what Swift's runtime does without it.
//
// Swift's own libraries are not built for the sanitizer. What they hand from one thread to another
// by atomics of their own it takes for a race. This library is loaded before them, and tells what
// has been handed on.
//
// - A contended Mutex: its fast path is in the code that uses it, where the sanitizer watches; the
//   slow one, where the kernel hands it on, is in libswiftSynchronization.
// - A continuation that is resumed before its task awaits it: the runtime tells the sanitizer what
//   the resuming thread has done, and that the task has seen it only if the task was suspended.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context)) void *

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

typedef SWIFT_ASYNC void (*resume_function)(CONTEXT);

// The beginning of the runtime's AsyncTask and of its ContinuationAsyncContext.
struct task {
  void *job[7];
  resume_function resume;
};

struct continuation {
  void *parent;
  resume_function resume;
};

extern struct task *swift_task_getCurrent(void) __attribute__((weak));

// Where a task goes on that was not suspended. One that was goes on where it noted itself when it
// made the continuation, so that place is in the task in either case.
static SWIFT_ASYNC void resume_awaited(CONTEXT context) {
  struct task *task = swift_task_getCurrent();
  if (__tsan_acquire) __tsan_acquire(task);
  __attribute__((musttail)) return task->resume(context);
}

SWIFT_ASYNC void swift_continuation_await(struct continuation *continuation) {
  typedef SWIFT_ASYNC void (*function)(struct continuation *);
  static function await;
  function real = __atomic_load_n(&await, __ATOMIC_RELAXED);
  if (!real) {
    real = (function)dlsym(RTLD_NEXT, "swift_continuation_await");
    __atomic_store_n(&await, real, __ATOMIC_RELAXED);
  }
  continuation->resume = resume_awaited;
  __attribute__((musttail)) return real(continuation);
}
