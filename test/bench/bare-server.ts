// A server of the same framework that answers a constant: what there is to reach.
//   bare-server.ts FILE

import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const constant = readFileSync(process.argv[2] ?? '', 'utf8');
const app = fastify();
app.get('/', (_, reply) => {
  reply.type('application/json').send(constant);
});
console.log(` at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
