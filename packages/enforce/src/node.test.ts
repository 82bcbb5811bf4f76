import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { expect, it } from 'vitest';
import { createEnforcer } from './enforcer.ts';
import { NODE_HOST, nodeMiddleware } from './node.ts';

function changing(action: string) {
  const text = `on_http_request: [{ actions: [{ type: ${action} }] }]`;
  const { policy, environments } = analyzePolicy(new SourceText('policy.yaml', text), {
    profile: MODERN,
    endpoint: 'http-endpoint',
  });
  const created = createEnforcer(policy!, { profile: MODERN, environments, host: NODE_HOST });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  const { enforcer } = created;
  return nodeMiddleware(() => enforcer);
}

it.each([
  ['nobody has read them', []],
  ['they were read before', ['before']],
  ['they were read in between', ['between']],
  ['they were read at both places', ['before', 'between']],
])('changes headers by two policies if %s', async (_, places: readonly string[]) => {
  const first = changing('remove-headers, config: { headers: [x-key] }');
  const second = changing('add-headers, config: { headers: { x-added: two } }');
  const server = createServer((request, response) => {
    const read = (place: string) => places.includes(place) && Object.keys(request.headers);
    read('before');
    first(request, response, () => {
      read('between');
      second(request, response, () => {
        const { headers, headersDistinct } = request;
        const distinct = headersDistinct['x-added'];
        response.end(JSON.stringify([headers['x-key'], headers['x-other'], headers['x-added'], distinct]));
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = { 'x-key': 'secret', 'x-other': 'kept', 'x-added': 'one' };
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: sent });
  expect(await answer.json()).toEqual([null, 'kept', 'one, two', ['one', 'two']]);
  server.close();
});
