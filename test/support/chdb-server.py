"""The HTTP interface of ClickHouse over chdb, the engine as a library: a query in the body of a request, its result in that of the answer."""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from chdb import session


class Handler(BaseHTTPRequestHandler):
    engine = session.Session()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        try:
            status, answer = 200, self.engine.query(f"set max_query_size = 1000000000; {body}").bytes()
        except Exception as error:
            status, answer = 500, str(error).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
sys.stdout.close()
server.serve_forever()
