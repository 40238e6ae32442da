/*
 * Adds the seconds of $FAKETIME to the clock of the programs that load this library. libfaketime is no
 * alternative: it returns the real time to a signal handler that interrupts a wait, so no timeout of Postgres
 * ends, and Chromium hangs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*real_clock)(clockid_t, struct timespec *);
static long seconds;

__attribute__((constructor)) static void start(void) {
  real_clock = dlsym(RTLD_NEXT, "clock_gettime");
  const char *value = getenv("FAKETIME");
  seconds = value ? atol(value) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  // Other libraries can call it before this one has started.
  if (!real_clock) start();
  int result = real_clock(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}
