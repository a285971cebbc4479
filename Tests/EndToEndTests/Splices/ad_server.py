#!/usr/bin/python3
"""A server of advertisements: ad_server.py PORT DIRECTORY.

/wrapper answers with a VAST wrapper around /vast, which answers with the playlist of six seconds in the directory; all else
are files there. Prints the target of each request that it is asked in VAST.
"""

import http.server
import sys

WRAPPER = """<VAST version="4.2"><Ad id="w"><Wrapper><AdSystem>test</AdSystem>
<VASTAdTagURI><![CDATA[http://127.0.0.1:{port}/vast]]></VASTAdTagURI></Wrapper></Ad></VAST>"""

INLINE = """<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2"><Ad id="a"><InLine><AdSystem>test</AdSystem>
<AdTitle>Red</AdTitle><Creatives><Creative><Linear><Duration>00:00:06</Duration><MediaFiles>
<MediaFile delivery="progressive" type="video/mp4">http://127.0.0.1:{port}/none.mp4</MediaFile>
<MediaFile delivery="streaming" type="application/vnd.apple.mpegurl" width="320" height="180">
<![CDATA[http://127.0.0.1:{port}/six/index.m3u8]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine>
</Ad></VAST>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        text = {"/wrapper": WRAPPER, "/vast": INLINE}.get(self.path.split("?")[0])
        if text is None:
            return super().do_GET()
        print(self.path, flush=True)
        body = text.format(port=self.server.server_port).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    port, directory = int(sys.argv[1]), sys.argv[2]
    handler = lambda *arguments: Handler(*arguments, directory=directory)  # noqa: E731
    http.server.ThreadingHTTPServer(("127.0.0.1", port), handler).serve_forever()


main()
