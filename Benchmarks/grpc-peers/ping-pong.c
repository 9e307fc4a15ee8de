// The least a round trip can take: two processes that wait with epoll and pass bytes to and fro over
// a Unix socket. `ping-pong COUNT REQUEST_BYTES RESPONSE_BYTES` runs a round for each line on standard
// input, and prints its seconds and the median of a round trip's microseconds.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 16];

static int watch(int descriptor) {
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  return epoll;
}

static void receive(int epoll, int descriptor, size_t size) {
  for (size_t received = 0; received < size;) {
    struct epoll_event event;
    epoll_wait(epoll, &event, 1, -1);
    ssize_t count = recv(descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count == 0) exit(0);
    if (count > 0) received += count;
  }
}

static double microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: ping-pong COUNT REQUEST_BYTES RESPONSE_BYTES\n");
    return 2;
  }
  long count = atol(argv[1]);
  size_t request = atol(argv[2]), response = atol(argv[3]);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
  if (fork() == 0) {
    close(pair[0]);
    for (int epoll = watch(pair[1]);;) {
      receive(epoll, pair[1], request);
      send(pair[1], buffer, response, MSG_NOSIGNAL);
    }
  }
  close(pair[1]);
  int epoll = watch(pair[0]);
  double *times = malloc(count * sizeof *times);
  for (char line[16]; fgets(line, sizeof line, stdin);) {
    double began = microseconds();
    for (long i = 0; i < count; i++) {
      double sent = microseconds();
      send(pair[0], buffer, request, MSG_NOSIGNAL);
      receive(epoll, pair[0], response);
      times[i] = microseconds() - sent;
    }
    double seconds = (microseconds() - began) / 1e6;
    qsort(times, count, sizeof *times, ascending);
    printf("%f %f\n", seconds, times[count / 2]);
    fflush(stdout);
  }
}
