#!/usr/bin/env python3
"""Does to a listener of HTTP/1.1 what costs it more than us, while somebody else asks it for something.

Prints a line of JSON for each attack: how many connections were opened, the statuses of their answers, how the other client
fared, and how much memory the server's process took meanwhile. Then a line for each request that two readers could
understand differently, with the statuses of all answers that it got.
"""

import argparse
import collections
import json
import multiprocessing
import selectors
import socket
import time

HOST = "127.0.0.1"


class Attack:
    """Sends an opening on each connection, then a piece every so often, until the status that is due has come, if any."""

    def __init__(self, name, opening, piece=b"", interval=0.25, seconds=3.0, connections=50, reads=True, due=None):
        self.name, self.opening, self.piece, self.interval = name, opening, piece, interval
        self.seconds, self.connections, self.reads, self.due = seconds, connections, reads, due


class Connection:
    def __init__(self, port, attack):
        self.socket = socket.socket()
        if not attack.reads:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setblocking(False)
        self.socket.connect_ex((HOST, port))
        self.unsent, self.due, self.received = attack.opening, 0.0, b""


def get(path, fields=b""):
    return b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + fields + b"\r\n"


def post(path, fields):
    return b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields + b"\r\n"


def attacks(path, posted, big):
    chunked = post(posted, b"Transfer-Encoding: chunked\r\n")
    fields = b"".join(b"%d: \r\n" % number for number in range(20_000))
    return [
        Attack("nothing", b"", seconds=1.5, connections=0),
        # More than the control API has places.
        Attack("silence", b"", connections=300),
        Attack("unfinished body", post(posted, b"Content-Length: 100\r\n") + b"{", connections=300),
        Attack("slow head", b"GET " + path + b" HTTP/1.1\r\n", b"X: y\r\n", connections=300),
        Attack("slow body", post(posted, b"Content-Length: 60000\r\n"), b"{", seconds=13.0, due="408"),
        Attack("pipelining", get(big) + get(path) * 1500, get(path) * 1000, interval=0.1, reads=False),
        Attack("slow reader", get(big) * 20, reads=False),
        Attack("long field", get(path, b"X: " + b"x" * 1_000_000 + b"\r\n"), due="431"),
        Attack("many fields", get(path, fields), due="431"),
        Attack("long target", get(b"/" + b"x" * 1_000_000), due="431"),
        Attack("long body", post(posted, b"Content-Length: 1000000000\r\n"), b"x" * 60_000, interval=0.05, due="413"),
        Attack("small chunks", chunked, b"1\r\nx\r\n" * 1000),
        Attack("chunk extension", chunked + b"1;", b"x" * 60_000, interval=0.05),
        Attack("trailers", chunked + b"0\r\n", b"X: y\r\n" * 1000),
    ]


def forms(path, posted):
    """Requests that two readers could take for different ones (RFC 9112 § 11.2)."""
    body = b'{"input":null}'
    smuggled = get(path)
    yield "both lengths", post(posted, b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n") + b"0\r\n\r\n" + smuggled
    yield "two lengths", post(posted, b"Content-Length: 0\r\nContent-Length: 14\r\n") + body + smuggled
    yield "list of lengths", post(posted, b"Content-Length: 0, 14\r\n") + body + smuggled
    yield "signed length", post(posted, b"Content-Length: +14\r\n") + body + smuggled
    yield "endless length", post(posted, b"Content-Length: 99999999999999999999999\r\n") + body + smuggled
    end = b"0\r\n\r\n" + smuggled
    yield "coding twice", post(posted, b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n") + end
    yield "coding not last", post(posted, b"Transfer-Encoding: chunked, identity\r\n") + end
    yield "unknown coding", post(posted, b"Transfer-Encoding: xchunked\r\n") + end
    yield "space before colon", get(path, b"Content-Length : 14\r\n") + smuggled
    yield "folded field", get(path, b"X: a\r\n b\r\n") + smuggled
    yield "bare line feeds", get(path).replace(b"\r\n", b"\n")
    yield "bare line feed in a field", get(path, b"X: a\nContent-Length: 14\r\n") + smuggled
    yield "bare carriage return", get(path, b"X: a\rb\r\n") + smuggled
    yield "zero byte", get(path, b"X: a\0b\r\n") + smuggled
    yield "bad chunk size", post(posted, b"Transfer-Encoding: chunked\r\n") + b"zz\r\n\r\n" + smuggled
    yield "endless chunk size", post(posted, b"Transfer-Encoding: chunked\r\n") + b"f" * 40 + b"\r\n\r\n" + smuggled
    yield "chunk without its end", post(posted, b"Transfer-Encoding: chunked\r\n") + b"1\r\nxx0\r\n\r\n" + smuggled
    yield "two hosts", get(path, b"Host: other\r\n") + smuggled
    yield "space in the target", b"GET " + path + b" x HTTP/1.1\r\nHost: localhost\r\n\r\n" + smuggled
    yield "version 3", get(path).replace(b"HTTP/1.1", b"HTTP/3.0") + smuggled


def statuses(received):
    """The statuses of answers that follow each other, without their bodies."""
    parts = received.split(b"HTTP/1.1 ")[1:]
    return [part[:3].decode("latin-1") for part in parts]


def probe(port, path, stop, pipe):
    """Asks for something again and again as a stranger would, with a connection for each request."""
    times, failures = [], 0
    while not stop.is_set():
        began = time.monotonic()
        try:
            with socket.create_connection((HOST, port), timeout=20) as other:
                other.sendall(get(path, b"Connection: close\r\n"))
                answer = b""
                while piece := other.recv(65536):
                    answer += piece
            if not answer.startswith(b"HTTP/1.1 200 "):
                failures += 1
        except OSError:
            failures += 1
        times.append(time.monotonic() - began)
        time.sleep(0.02)
    pipe.send((times, failures))


def memory(process):
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) // 1024


class Flood:
    def __init__(self, arguments, attack):
        self.port, self.attack, self.process = arguments.port, attack, arguments.process
        self.selector = selectors.DefaultSelector()
        self.connections, self.opened = set(), 0
        self.statuses, self.cut = collections.Counter(), 0
        # Nothing is due of most.
        self.answered = {None}
        self.peak = self.before = memory(self.process)

    def open(self):
        connection = Connection(self.port, self.attack)
        events = selectors.EVENT_WRITE | (selectors.EVENT_READ if self.attack.reads else 0)
        self.selector.register(connection.socket, events, connection)
        self.connections.add(connection)
        self.opened += 1

    def close(self, connection):
        self.selector.unregister(connection.socket)
        connection.socket.close()
        self.connections.discard(connection)
        first = statuses(connection.received[:2048])[:1]
        self.statuses.update(first)
        self.answered.update(first)
        self.cut += 1

    def send(self, connection, now):
        if not connection.unsent:
            if now < connection.due or not self.attack.piece:
                return
            connection.unsent, connection.due = self.attack.piece, now + self.attack.interval
        sent = connection.socket.send(connection.unsent)
        connection.unsent = connection.unsent[sent:]
        if not connection.unsent:
            connection.due = now + self.attack.interval

    def run(self):
        end = time.monotonic() + self.attack.seconds
        sampled = 0.0
        # A server that is late is waited for.
        while (now := time.monotonic()) < end or (self.attack.due not in self.answered and now < end + 20):
            # Who is cut off comes again.
            for _ in range(min(20, self.attack.connections - len(self.connections))):
                self.open()
            for key, events in self.selector.select(0.01):
                connection = key.data
                try:
                    if events & selectors.EVENT_READ:
                        piece = connection.socket.recv(65536)
                        if not piece:
                            self.close(connection)
                            continue
                        connection.received = (connection.received + piece)[:4096]
                    if events & selectors.EVENT_WRITE:
                        self.send(connection, now)
                except BlockingIOError:
                    pass
                except OSError:
                    self.close(connection)
            if now - sampled > 0.05:
                sampled = now
                self.peak = max(self.peak, memory(self.process))
            # Whoever has nothing to send is writable all the time.
            time.sleep(0.005)
        for connection in list(self.connections):
            self.close(connection)
            self.cut -= 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--process", type=int, required=True)
    parser.add_argument("--path", required=True, help="what the other client asks for")
    parser.add_argument("--posted", required=True, help="what takes a body")
    parser.add_argument("--big", required=True, help="something long")
    parser.add_argument("--only", help="one attack alone")
    arguments = parser.parse_args()
    path, posted, big = (text.encode() for text in (arguments.path, arguments.posted, arguments.big))
    for attack in attacks(path, posted, big):
        if arguments.only and attack.name != arguments.only:
            continue
        stop = multiprocessing.Event()
        ours, theirs = multiprocessing.Pipe()
        other = multiprocessing.Process(target=probe, args=(arguments.port, path, stop, theirs))
        other.start()
        flood = Flood(arguments, attack)
        flood.run()
        stop.set()
        times, failures = ours.recv()
        other.join()
        times.sort()
        print(
            json.dumps(
                {
                    "attack": attack.name,
                    "opened": flood.opened,
                    "cut": flood.cut,
                    "statuses": flood.statuses,
                    "asked": len(times),
                    "failures": failures,
                    "p99": round(1000 * times[min(len(times) - 1, len(times) * 99 // 100)]),
                    "memory": flood.peak - flood.before,
                }
            ),
            flush=True,
        )
    if arguments.only:
        return
    for name, request in forms(path, posted):
        with socket.create_connection((HOST, arguments.port), timeout=20) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
        print(json.dumps({"form": name, "statuses": statuses(answer)}), flush=True)


if __name__ == "__main__":
    main()
