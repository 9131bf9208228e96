// What Glibc's module map hides from Swift: GNU extensions that need _GNU_SOURCE.
#pragma once
#include <sys/prctl.h>

/// Names the calling thread (at most 15 bytes), as `ps -L` and `top -H` show it. prctl(2), PR_SET_NAME.
static inline void soundbox_thread_set_name(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
