#pragma once
#include <alsa/asoundlib.h>

static void soundbox_alsa_ignore(
    const char *file, int line, const char *function, int code, const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)code, (void)format, (void)arguments;
}

/// Keeps libasound from writing its own lines to stderr for the calling thread: every call here returns its error,
/// and one event is one line of our log. snd_lib_error_set_local(3).
static inline void soundbox_alsa_quiet(void) {
    snd_lib_error_set_local(soundbox_alsa_ignore);
}
