// What Glibc's module map leaves out of Linux's interface.
//
// Without _GNU_SOURCE, because Glibc's module is built without it and the two must agree on the
// types that both see; what the headers hide for that is declared here.
#ifndef C_LINUX_SHIM_H
#define C_LINUX_SHIM_H

#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);

/// `prctl(PR_SET_PDEATHSIG)`: prctl takes variable arguments, which Swift cannot pass.
static inline int set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }

/// What SO_PEERCRED reads: `struct ucred`.
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

#endif
