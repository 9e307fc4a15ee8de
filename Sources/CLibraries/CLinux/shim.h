// What Glibc's module map leaves out of Linux's interface.
#ifndef C_LINUX_SHIM_H
#define C_LINUX_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>

/// `accept4` is hidden behind _GNU_SOURCE, which Glibc's module is built without.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

#endif
