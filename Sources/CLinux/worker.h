// What a worker thread stands on: a thread that leaves the process's signals alone, and a counter to wake it by.
#pragma once
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Starts a detached thread. It takes no signals, so that SIGTERM reaches the thread that waits for it and a write to a
/// closed socket is EPIPE instead of SIGPIPE (libmosquitto writes with write(2)); faults stay deliverable, for the
/// backtrace. Returns 0 or an errno. pthread_create(3).
static inline int soundbox_thread_start(void *(*body)(void *), void *context) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGFPE);
    sigdelset(&blocked, SIGTRAP);
    sigdelset(&blocked, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    int error = pthread_create(&thread, 0, body, context);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    if (error == 0) pthread_detach(thread);
    return error;
}

/// A wake-up between threads; -1 with errno set where there are no more descriptors. eventfd(2).
static inline int soundbox_event_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/// Makes the event readable until the next wait. Any thread, never blocks.
static inline void soundbox_event_signal(int event) {
    uint64_t one = 1;
    (void)!write(event, &one, sizeof one);
}

/// Takes the wake-ups back. True when there was one.
static inline bool soundbox_event_clear(int event) {
    uint64_t count;
    return read(event, &count, sizeof count) == sizeof count;
}

/// Waits up to `milliseconds` (negative: forever) for the event and takes it back. True when it came.
static inline bool soundbox_event_wait(int event, int milliseconds) {
    struct pollfd entry = {.fd = event, .events = POLLIN};
    poll(&entry, 1, milliseconds);
    return soundbox_event_clear(event);
}
