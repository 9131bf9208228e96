// What Glibc's module map leaves out: Linux's own headers, GNU extensions, and functions with a variable list of
// arguments. No _GNU_SOURCE here, or types that Glibc's own module has would be declared in another shape.
#pragma once
#include <getopt.h>
#include <linux/capability.h>
#include <linux/input.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

/// Names the calling thread (at most 15 bytes), as `ps -L` and `top -H` show it. prctl(2), PR_SET_NAME.
static inline void soundbox_thread_set_name(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// The kernel's estimate of how wrong the wall clock may be, in microseconds; -1 where it cannot be read. adjtimex(2).
static inline long soundbox_clock_maximum_error(void) {
    struct timex state = {0};
    return adjtimex(&state) < 0 ? -1 : state.maxerror;
}

/// Whether all memory of the process, and what it allocates later, may be locked. Below an unlimited RLIMIT_MEMLOCK,
/// mlockall(MCL_FUTURE) would make a later allocation fail instead. getrlimit(2), capget(2) with CAP_IPC_LOCK.
static inline int soundbox_may_lock_memory(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return 1;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective >> CAP_IPC_LOCK & 1);
}

/// The clock by which an input device stamps its events. EVIOCSCLOCKID.
static inline int soundbox_input_set_clock(int descriptor, int clock) {
    return ioctl(descriptor, EVIOCSCLOCKID, &clock);
}

/// Whether an input device has a key: 1, 0, or -1 with errno. EVIOCGBIT.
static inline int soundbox_input_has_key(int descriptor, unsigned code) {
    unsigned char keys[KEY_CNT / 8] = {0};
    if (code >= KEY_CNT) return 0;
    return ioctl(descriptor, EVIOCGBIT(EV_KEY, sizeof keys), keys) < 0 ? -1 : keys[code / 8] >> code % 8 & 1;
}

/// Whether a key is down: 1, 0, or -1 with errno. EVIOCGKEY.
static inline int soundbox_input_key_is_down(int descriptor, unsigned code) {
    unsigned char keys[KEY_CNT / 8] = {0};
    if (code >= KEY_CNT) return 0;
    return ioctl(descriptor, EVIOCGKEY(sizeof keys), keys) < 0 ? -1 : keys[code / 8] >> code % 8 & 1;
}

/// When an input event happened, in nanoseconds. The fields have other names where time_t outgrew the kernel's.
static inline uint64_t soundbox_input_time(const struct input_event *event) {
    return (uint64_t)event->input_event_sec * 1000000000u + (uint64_t)event->input_event_usec * 1000u;
}
