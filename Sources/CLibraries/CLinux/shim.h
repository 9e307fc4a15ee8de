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
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <linux/vm_sockets.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);

/// Macros with casts, which Swift does not see.
static const unsigned int virtual_socket_any_context = VMADDR_CID_ANY;
static const unsigned int virtual_socket_any_port = VMADDR_PORT_ANY;

/// `prctl(PR_SET_PDEATHSIG)`: prctl takes variable arguments, which Swift cannot pass.
static inline int set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }

/// How many descriptors the process may have: the soft limit.
static inline unsigned long descriptor_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
}

/// Raises the soft limit of descriptors to the hard one.
static inline int raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

/// What SO_PEERCRED reads: `struct ucred`.
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

#endif
