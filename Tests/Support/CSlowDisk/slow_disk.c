// Takes the place of fsync and fdatasync: while the file named by SLOW_DISK_HOLD is there they do not return, as on a card
// that hangs.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void hold(void) {
    const char *file = getenv("SLOW_DISK_HOLD");
    while (file && access(file, F_OK) == 0) usleep(1000);
}

int fsync(int descriptor) {
    hold();
    return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    hold();
    return (int)syscall(SYS_fdatasync, descriptor);
}
