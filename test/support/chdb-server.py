"""
The HTTP interface of ClickHouse over chdb, the engine as a library: a query in the body of a request, its result in that of the answer. With the
argument `reader`, the user may only read: the engine takes what users may from `config.xml` in the working directory.
"""

import gzip
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import chdb

is_reader = sys.argv[1:] == ["reader"]

# The engine, with its tables, lives as long as a connection.
first = chdb.connect(":memory:")


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        settings = dict(parse_qsl(urlsplit(self.path).query))
        # chdb names queries itself.
        query_id = settings.pop("query_id", "")
        # chdb has no HTTP interface that compresses.
        is_compressed = settings.get("enable_http_compression") == "1" and self.headers["Accept-Encoding"] == "gzip"
        if not is_reader:
            body = body.replace("where query_id = ", "where Settings['log_comment'] = ")
            settings["log_comment"] = query_id
        if body.endswith("format JSONCompactEachRow") and settings:
            body += " settings " + ", ".join(f"{name} = '{value}'" for name, value in settings.items())
        connection = chdb.connect(":memory:")
        try:
            if not is_reader:
                connection.query("set max_query_size = 1000000000")
            status, answer = 200, connection.query(body).bytes()
        except Exception as error:
            status, answer = 500, str(error).encode()
        finally:
            connection.close()
        if is_compressed:
            answer = gzip.compress(answer, 3)
        try:
            self.send_response(status)
            if is_compressed:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
        except ConnectionError:
            pass  # The client did not wait for the answer.

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
sys.stdout.close()


def end_with_tests():
    sys.stdin.buffer.read()
    os._exit(0)


# Whichever way the tests end, also if they were killed before they stopped the server.
threading.Thread(target=end_with_tests, daemon=True).start()
server.serve_forever()
