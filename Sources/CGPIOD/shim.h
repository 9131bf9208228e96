// One API over both libgpiods: 1.6 (Debian 12) and 2.x (Debian 13), which have no function in common. Every call returns
// -1 or NULL with errno on failure. A value is logical: 1 is active, whatever the level.
#pragma once
#include <errno.h>
#include <gpiod.h>
#include <stdint.h>
#include <stdio.h>

enum soundbox_gpio_flags {
    SOUNDBOX_GPIO_OUTPUT = 1 << 0,
    SOUNDBOX_GPIO_ACTIVE_LOW = 1 << 1,
    SOUNDBOX_GPIO_PULL_UP = 1 << 2,
    SOUNDBOX_GPIO_PULL_DOWN = 1 << 3,
    SOUNDBOX_GPIO_NO_BIAS = 1 << 4,
    SOUNDBOX_GPIO_OPEN_DRAIN = 1 << 5,
    SOUNDBOX_GPIO_OPEN_SOURCE = 1 << 6,
};

// Only 1.x has bulks of lines, and neither has a version macro.
#ifdef GPIOD_LINE_BULK_MAX_LINES

typedef struct gpiod_line soundbox_gpio_line;

static inline int soundbox_gpio_label(struct gpiod_chip *chip, char *text, size_t size) {
    snprintf(text, size, "%s", gpiod_chip_label(chip));
    return 0;
}

static inline int soundbox_gpio_count(struct gpiod_chip *chip) {
    return gpiod_chip_num_lines(chip);
}

static inline int soundbox_gpio_find(struct gpiod_chip *chip, const char *name) {
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    return line ? (int)gpiod_line_offset(line) : -1;
}

/// Who holds a line: its text, empty for nobody.
static inline int soundbox_gpio_holder(struct gpiod_chip *chip, unsigned offset, char *text, size_t size) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (!line) return -1;
    const char *consumer = gpiod_line_consumer(line);
    snprintf(text, size, "%s", !gpiod_line_is_used(line) ? "" : consumer ? consumer : "the kernel");
    return 0;
}

/// Takes a line: an output with a value, or an input whose edges are read. The chip must outlive it.
static inline soundbox_gpio_line *soundbox_gpio_request(
    struct gpiod_chip *chip, unsigned offset, const char *consumer, unsigned flags, unsigned debounce_us, int value) {
    (void)debounce_us; // The kernel's debouncing came with the other API.
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (!line) return NULL;
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type =
            flags & SOUNDBOX_GPIO_OUTPUT ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
        .flags = (flags & SOUNDBOX_GPIO_ACTIVE_LOW ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0) |
                 (flags & SOUNDBOX_GPIO_PULL_UP ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP : 0) |
                 (flags & SOUNDBOX_GPIO_PULL_DOWN ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN : 0) |
                 (flags & SOUNDBOX_GPIO_NO_BIAS ? GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE : 0) |
                 (flags & SOUNDBOX_GPIO_OPEN_DRAIN ? GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN : 0) |
                 (flags & SOUNDBOX_GPIO_OPEN_SOURCE ? GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE : 0),
    };
    return gpiod_line_request(line, &config, value) == 0 ? line : NULL;
}

static inline void soundbox_gpio_release(soundbox_gpio_line *line) {
    gpiod_line_release(line);
}

static inline int soundbox_gpio_get(soundbox_gpio_line *line, unsigned offset) {
    (void)offset;
    return gpiod_line_get_value(line);
}

static inline int soundbox_gpio_set(soundbox_gpio_line *line, unsigned offset, int value) {
    (void)offset;
    return gpiod_line_set_value(line, value);
}

static inline int soundbox_gpio_descriptor(soundbox_gpio_line *line) {
    return gpiod_line_event_get_fd(line);
}

/// The next edge that waits: 1, or 0 where none does. Its time is on CLOCK_MONOTONIC.
static inline int soundbox_gpio_edge(soundbox_gpio_line *line, int *is_active, uint64_t *nanoseconds) {
    struct timespec now = {0, 0};
    struct gpiod_line_event event;
    int waits = gpiod_line_event_wait(line, &now);
    if (waits <= 0) return waits;
    if (gpiod_line_event_read(line, &event) < 0) return -1;
    *is_active = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    *nanoseconds = (uint64_t)event.ts.tv_sec * 1000000000u + (uint64_t)event.ts.tv_nsec;
    return 1;
}

#else

typedef struct gpiod_line_request soundbox_gpio_line;

static inline int soundbox_gpio_label(struct gpiod_chip *chip, char *text, size_t size) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return -1;
    snprintf(text, size, "%s", gpiod_chip_info_get_label(info));
    gpiod_chip_info_free(info);
    return 0;
}

static inline int soundbox_gpio_count(struct gpiod_chip *chip) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return -1;
    int count = (int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return count;
}

static inline int soundbox_gpio_find(struct gpiod_chip *chip, const char *name) {
    return gpiod_chip_get_line_offset_from_name(chip, name);
}

/// Who holds a line: its text, empty for nobody.
static inline int soundbox_gpio_holder(struct gpiod_chip *chip, unsigned offset, char *text, size_t size) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return -1;
    const char *consumer = gpiod_line_info_get_consumer(info);
    snprintf(text, size, "%s", !gpiod_line_info_is_used(info) ? "" : consumer ? consumer : "the kernel");
    gpiod_line_info_free(info);
    return 0;
}

/// Takes a line: an output with a value, or an input whose edges are read. The chip must outlive it.
static inline soundbox_gpio_line *soundbox_gpio_request(
    struct gpiod_chip *chip, unsigned offset, const char *consumer, unsigned flags, unsigned debounce_us, int value) {
    soundbox_gpio_line *line = NULL;
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    if (settings && lines && request) {
        if (flags & SOUNDBOX_GPIO_OUTPUT) {
            gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
            gpiod_line_settings_set_output_value(settings, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
        } else {
            gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
            gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
            gpiod_line_settings_set_debounce_period_us(settings, debounce_us);
        }
        gpiod_line_settings_set_active_low(settings, flags & SOUNDBOX_GPIO_ACTIVE_LOW);
        if (flags & SOUNDBOX_GPIO_PULL_UP) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP);
        if (flags & SOUNDBOX_GPIO_PULL_DOWN) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_DOWN);
        if (flags & SOUNDBOX_GPIO_NO_BIAS) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_DISABLED);
        if (flags & SOUNDBOX_GPIO_OPEN_DRAIN) gpiod_line_settings_set_drive(settings, GPIOD_LINE_DRIVE_OPEN_DRAIN);
        if (flags & SOUNDBOX_GPIO_OPEN_SOURCE) gpiod_line_settings_set_drive(settings, GPIOD_LINE_DRIVE_OPEN_SOURCE);
        gpiod_request_config_set_consumer(request, consumer);
        if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
            line = gpiod_chip_request_lines(chip, request, lines);
    }
    int code = errno;
    gpiod_request_config_free(request);
    gpiod_line_config_free(lines);
    gpiod_line_settings_free(settings);
    errno = code;
    return line;
}

static inline void soundbox_gpio_release(soundbox_gpio_line *line) {
    gpiod_line_request_release(line);
}

static inline int soundbox_gpio_get(soundbox_gpio_line *line, unsigned offset) {
    return gpiod_line_request_get_value(line, offset);
}

static inline int soundbox_gpio_set(soundbox_gpio_line *line, unsigned offset, int value) {
    return gpiod_line_request_set_value(line, offset, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

static inline int soundbox_gpio_descriptor(soundbox_gpio_line *line) {
    return gpiod_line_request_get_fd(line);
}

/// The next edge that waits: 1, or 0 where none does. Its time is on CLOCK_MONOTONIC.
static inline int soundbox_gpio_edge(soundbox_gpio_line *line, int *is_active, uint64_t *nanoseconds) {
    int waits = gpiod_line_request_wait_edge_events(line, 0);
    if (waits <= 0) return waits;
    struct gpiod_edge_event_buffer *buffer = gpiod_edge_event_buffer_new(1);
    if (!buffer) return -1;
    int count = gpiod_line_request_read_edge_events(line, buffer, 1);
    if (count > 0) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(buffer, 0);
        *is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
        *nanoseconds = gpiod_edge_event_get_timestamp_ns(event);
    }
    int code = errno;
    gpiod_edge_event_buffer_free(buffer);
    errno = code;
    return count;
}

#endif
