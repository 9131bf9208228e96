// Counts what one thread allocates and frees. For tests only.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// Whether this build can count: a sanitizer brings an allocator of its own, which must stay in place.
bool allocation_counter_works(void);

/// Begins to count the calls of the thread with this id (as in /proc/self/task), from zero; 0 ends it.
void allocation_counter_watch(pid_t thread);

/// How often the watched thread called malloc, calloc, realloc, an aligned variant, or free.
long allocation_counter_count(void);
