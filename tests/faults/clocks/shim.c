/* Moves the clocks of a program while it runs, each by itself: what is read is the machine's time
 * plus an offset out of a file of three doubles, in seconds: wall clock, monotonic, boot clock.
 * Put in front of the C library by LD_PRELOAD (ld.so(8)); the kernel's own timers stay as they are,
 * as they do in a machine that sleeps.
 *
 * For 64-bit Linux, and without headers, so that a compiler alone is enough to build it. */

struct moment { long secs, nanosecs; };
enum { REALTIME = 0, MONOTONIC = 1, BOOTTIME = 7 };  /* clock_gettime(2), linux/time.h */
enum { READ_ONLY = 0, MAY_READ = 1, SHARED = 1 };    /* open(2), mmap(2) */

extern char *getenv(const char *);
extern int open(const char *, int, ...);
extern int close(int);
extern void *mmap(void *, unsigned long, int, int, int, long);
extern void *dlsym(void *, const char *);

static const volatile double *offsets;
static int (*machine)(int, struct moment *);

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_OFFSETS");
    int file = path ? open(path, READ_ONLY) : -1;
    if (file >= 0) {
        void *found = mmap(0, 3 * sizeof(double), MAY_READ, SHARED, file, 0);
        if (found != (void *)-1) offsets = found;
        close(file);
    }
}

int clock_gettime(int clock, struct moment *told) {
    if (!machine) machine = (int (*)(int, struct moment *))dlsym((void *)-1 /* RTLD_NEXT */, "clock_gettime");
    int which = clock == REALTIME ? 0 : clock == MONOTONIC ? 1 : clock == BOOTTIME ? 2 : 3;
    int failed = machine(clock, told);
    if (failed || which == 3 || !offsets) return failed;
    double offset = offsets[which];
    long secs = (long)offset;
    told->secs += secs;
    told->nanosecs += (long)((offset - secs) * 1e9);
    if (told->nanosecs >= 1000000000) { told->nanosecs -= 1000000000; told->secs += 1; }
    if (told->nanosecs < 0) { told->nanosecs += 1000000000; told->secs -= 1; }
    return 0;
}
