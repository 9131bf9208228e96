// Takes the place of the C library's allocator and of Swift's reference counting in the test's executable, and hands every
// call on to them.
#define _GNU_SOURCE
#include "allocation_counter.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static atomic_int watched;
static atomic_long calls;
static atomic_long references;

void allocation_counter_watch(pid_t thread) {
    atomic_store(&calls, 0);
    atomic_store(&references, 0);
    atomic_store(&watched, thread);
}

long allocation_counter_count(void) {
    return atomic_load(&calls);
}

long reference_counter_count(void) {
    return atomic_load(&references);
}

static bool is_watched(void) {
    int thread = atomic_load_explicit(&watched, memory_order_relaxed);
    return thread != 0 && syscall(SYS_gettid) == thread;
}

#if defined(__x86_64__) && !defined(SANITIZED)

bool reference_counter_works(void) {
    return true;
}

// One function of Swift's runtime, under its own name: found behind this executable, and called after it was counted.
#define COUNTED(name, result, parameters, arguments)                        \
    result name parameters {                                                \
        static _Atomic(result(*) parameters) next;                          \
        result(*function) parameters = atomic_load(&next);                  \
        if (!function) {                                                    \
            function = (result(*) parameters)dlsym(RTLD_NEXT, #name);       \
            atomic_store(&next, function);                                  \
        }                                                                   \
        if (is_watched()) atomic_fetch_add(&references, 1);                 \
        return function arguments;                                          \
    }

COUNTED(swift_retain, void *, (void *object), (object))
COUNTED(swift_release, void, (void *object), (object))
COUNTED(swift_retain_n, void *, (void *object, unsigned count), (object, count))
COUNTED(swift_release_n, void, (void *object, unsigned count), (object, count))
COUNTED(swift_bridgeObjectRetain, void *, (void *object), (object))
COUNTED(swift_bridgeObjectRelease, void, (void *object), (object))
COUNTED(swift_bridgeObjectRetain_n, void *, (void *object, int count), (object, count))
COUNTED(swift_bridgeObjectRelease_n, void, (void *object, int count), (object, count))

#else

bool reference_counter_works(void) {
    return false;
}

#endif

#ifdef SANITIZED

bool allocation_counter_works(void) {
    return false;
}

#else

bool allocation_counter_works(void) {
    return true;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static void count(void) {
    if (is_watched()) atomic_fetch_add(&calls, 1);
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
    if (memory) count();
    __libc_free(memory);
}

#endif
