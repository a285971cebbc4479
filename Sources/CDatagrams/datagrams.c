#define _GNU_SOURCE
#include "datagrams.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

int64_t cdatagrams_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int cdatagrams_set(void) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    return set < 0 ? -errno : set;
}

int cdatagrams_add(int set, int socket, uint64_t id) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = id};
    return epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) < 0 ? -errno : 0;
}

int cdatagrams_wait(int set, uint64_t *ids, int most, int milliseconds) {
    struct epoll_event events[CDATAGRAMS_BATCH];
    int count = epoll_wait(set, events, most < CDATAGRAMS_BATCH ? most : CDATAGRAMS_BATCH, milliseconds);
    for (int i = 0; i < count; i++) ids[i] = events[i].data.u64;
    return count < 0 ? 0 : count;
}

void cdatagrams_note_arrivals(int socket) {
    int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(socket, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
}

int cdatagrams_receive(
    int socket, uint8_t *room, size_t stride, struct cdatagrams_datagram *datagrams, uint32_t *drops) {
    union {
        struct cmsghdr first;
        unsigned char bytes[CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(uint32_t))];
    } notes[CDATAGRAMS_BATCH];
    struct mmsghdr messages[CDATAGRAMS_BATCH];
    struct iovec parts[CDATAGRAMS_BATCH];
    memset(messages, 0, sizeof messages);
    for (size_t i = 0; i < CDATAGRAMS_BATCH; i++) {
        parts[i].iov_base = room + i * stride;
        parts[i].iov_len = stride;
        struct msghdr *header = &messages[i].msg_hdr;
        header->msg_name = datagrams[i].sender;
        header->msg_namelen = sizeof datagrams[i].sender;
        header->msg_iov = &parts[i];
        header->msg_iovlen = 1;
        header->msg_control = &notes[i];
        header->msg_controllen = sizeof notes[i];
    }
    int count = recvmmsg(socket, messages, CDATAGRAMS_BATCH, MSG_DONTWAIT, NULL);
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -errno;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < count; i++) {
        datagrams[i].length = messages[i].msg_len;
        datagrams[i].age = 0;
        struct msghdr *header = &messages[i].msg_hdr;
        for (struct cmsghdr *note = CMSG_FIRSTHDR(header); note; note = CMSG_NXTHDR(header, note)) {
            if (note->cmsg_level != SOL_SOCKET) continue;
            if (note->cmsg_type == SCM_TIMESTAMPNS) {
                struct timespec came;
                memcpy(&came, CMSG_DATA(note), sizeof came);
                datagrams[i].age = (int64_t)(now.tv_sec - came.tv_sec) * 1000000000 + (now.tv_nsec - came.tv_nsec);
            } else if (note->cmsg_type == SO_RXQ_OVFL) {
                memcpy(drops, CMSG_DATA(note), sizeof *drops);
            }
        }
    }
    return count;
}
