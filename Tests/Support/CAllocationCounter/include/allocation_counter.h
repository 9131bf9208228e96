// Counts what one thread allocates and frees, and the references it counts. For tests only.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// Whether this build can count: a sanitizer brings an allocator of its own, which must stay in place.
bool allocation_counter_works(void);

/// Begins to count the calls of the thread with this id (as in /proc/self/task), from zero; 0 ends it.
void allocation_counter_watch(pid_t thread);

/// How often the watched thread called malloc, calloc, realloc, an aligned variant, or free.
long allocation_counter_count(void);

/// Whether this build can count references: the functions are called as C's on this processor, and are in a library.
bool reference_counter_works(void);

/// How often the watched thread retained or released a reference.
long reference_counter_count(void);
