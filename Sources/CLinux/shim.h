// What Glibc's module map leaves out: Linux's own headers, GNU extensions, and functions with a variable list of
// arguments. No _GNU_SOURCE here, or types that Glibc's own module has would be declared in another shape.
#pragma once
#include <getopt.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timex.h>
#include <time.h>

int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *deadline);

/// Names the calling thread (at most 15 bytes), as `ps -L` and `top -H` show it. prctl(2), PR_SET_NAME.
static inline void soundbox_thread_set_name(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// Waits for a thread to end until a time on CLOCK_REALTIME. pthread_timedjoin_np(3).
static inline int soundbox_thread_timed_join(pthread_t thread, const struct timespec *deadline) {
    return pthread_timedjoin_np(thread, (void **)0, deadline);
}

/// The kernel's estimate of how wrong the wall clock may be, in microseconds; -1 where it cannot be read. adjtimex(2).
static inline long soundbox_clock_maximum_error(void) {
    struct timex state = {0};
    return adjtimex(&state) < 0 ? -1 : state.maxerror;
}
