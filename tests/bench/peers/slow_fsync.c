/* A disk that takes 200 ms for each fsync, for a program that is started with LD_PRELOAD. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fsync(int descriptor)
{
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
    return syscall(SYS_fsync, descriptor);
}
