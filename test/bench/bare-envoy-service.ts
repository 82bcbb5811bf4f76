// The floor of `enforce.ts`: a service for Envoy's filter for external processing that reads no message, and lets everything pass.
//   node --conditions=tollgate-source bare-envoy-service.ts PORT

import { createServer } from 'node:http2';

/** `request_headers` and `response_headers` of a ProcessingResponse, both empty: tag and length of the field, after the five bytes of gRPC. */
const [REQUEST, RESPONSE] = [Buffer.of(0, 0, 0, 0, 2, 0x0a, 0), Buffer.of(0, 0, 0, 0, 2, 0x12, 0)];

const server = createServer({ streamResetBurst: 1e9, streamResetRate: 1e9 });
server.on('stream', stream => {
  let answered = 0;
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
  stream.on('error', () => {});
  // Each message of Envoy arrives in one piece here.
  stream.on('data', () => stream.write(answered++ === 0 ? REQUEST : RESPONSE));
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listens'));
