// What Glibc's module map leaves out of Linux's interface.
//
// Without _GNU_SOURCE, because Glibc's module is built without it and the two must agree on the
// types that both see; what the headers hide for that is declared here.
#ifndef C_LINUX_SHIM_H
#define C_LINUX_SHIM_H

#include <arpa/nameser.h>
#include <getopt.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <string.h>
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

/// Whether the process ignores a signal: Swift compares no functions.
static inline int ignores_signal(int number) {
  struct sigaction action;
  return sigaction(number, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

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

/// Asks for the TXT records of a name, and waits for the answer.
///
/// `server`, a `struct sockaddr_in`, is asked instead of those that the system names, if it is not null. Returns the size of the answer as it
/// came over the wire, or -1 and in `reason` one of netdb.h's codes, as HOST_NOT_FOUND. `struct __res_state` is one
/// whose unions Swift cannot reach.
static inline int query_text_records(
    const char *name, const struct sockaddr *server, unsigned char *answer, int size, int *reason) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  *reason = TRY_AGAIN;
  if (res_ninit(&state) != 0) return -1;
  if (server) {
    state.nscount = 1;
    memcpy(&state.nsaddr_list[0], server, sizeof(struct sockaddr_in));
    state._u._ext.nscount = 0;
  }
  int count = res_nquery(&state, name, ns_c_in, ns_t_txt, answer, size);
  if (count < 0) *reason = state.res_h_errno;
  res_nclose(&state);
  return count;
}

/// What SO_PEERCRED reads: `struct ucred`.
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

#endif
