// Reads many datagrams with one call: recvmmsg(2), the macros of control messages and epoll(7), which Swift cannot import.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Datagrams that are read with one call.
#define CDATAGRAMS_BATCH 64

/// A datagram that was received.
struct cdatagrams_datagram {
    /// Bytes that were read.
    uint32_t length;
    /// Nanoseconds since it came, by the kernel's note of that; 0 without one.
    int64_t age;
    /// The sender, as a struct sockaddr_in or sockaddr_in6.
    uint8_t sender[28];
};

/// The monotonic clock, in nanoseconds.
int64_t cdatagrams_now(void);

/// Makes a set of sockets; returns its descriptor, or the negated errno.
int cdatagrams_set(void);

/// Puts a socket into a set, out of which it goes when it is closed; returns 0, or the negated errno.
///
/// - id: Names it in cdatagrams_wait.
int cdatagrams_add(int set, int socket, uint64_t id);

/// Waits until sockets of a set have something to be read, and notes at most `most` of their names.
///
/// - milliseconds: The longest wait; -1 for any.
/// Returns how many they are.
int cdatagrams_wait(int set, uint64_t *ids, int most, int milliseconds);

/// Has the kernel note the time of each datagram, and how many the socket drops.
void cdatagrams_note_arrivals(int socket);

/// Reads datagrams that have come to a socket, without waiting for any.
///
/// - socket: One of cdatagrams_note_arrivals.
/// - room: CDATAGRAMS_BATCH times `stride` bytes; each datagram is read to the beginning of its own.
/// - drops: Set to the number that the socket has dropped since it was opened (modulo 2^32), if the kernel says it.
/// Returns the number of datagrams, 0 if there is none, or the negated errno.
int cdatagrams_receive(
    int socket, uint8_t *room, size_t stride, struct cdatagrams_datagram *datagrams, uint32_t *drops);
