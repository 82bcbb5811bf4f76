// What Envoy is in front of: says what it received, and fails at /broken.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.url === '/broken') {
    response.writeHead(500).end('a stack trace that nobody should see\n');
    return;
  }
  response.end(`${request.method} ${request.url}, checked by ${request.headers['x-checked-by'] ?? 'nobody'}\n`);
});
server.listen(Number(process.env.APPLICATION_PORT ?? 3000), process.env.APPLICATION_HOST ?? '127.0.0.1');
// Without it, the first process of a container would not end when it is told to.
process.once('SIGTERM', () => process.exit());
