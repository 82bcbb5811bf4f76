import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from './simulation.ts';

const EXCHANGE: Exchange = {
  place: { file: 'a.har', number: 1, unit: 'entry' },
  time: 0,
  clientIp: '203.0.113.7',
  tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
  method: 'GET',
  target: '/a?n=1',
  url: 'https://e.co/a?n=1',
  protocol: 'HTTP/1.1',
  requestHeaders: { fields: [{ name: 'Host', value: 'e.co' }], absent: [], complete: true, withheld: [] },
  response: undefined,
};

function filledBy(rules: readonly object[], seed?: number) {
  const source = new SourceText('p', JSON.stringify({ on_http_request: rules }));
  const { policy, diagnostics, environments } = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  expect(diagnostics).toEqual([]);
  const simulation = createSimulation(policy!, { profile: MODERN, environments, ...(seed !== undefined && { seed }) });
  const trace = simulation.trace(EXCHANGE);
  return trace.filled.map(actions => actions.map(found => found.map(({ source: text, result }) => [text, result])));
}

describe("interpolated expressions of a rule's actions", () => {
  it('are listed for each action that ran, in order of evaluation', () => {
    const rules = [
      {
        expressions: ["req.method == 'POST'"],
        actions: [{ type: 'log', config: { metadata: { a: '${req.method}' } } }],
      },
      {
        actions: [
          { type: 'set-vars', config: { vars: [{ a: '${req.method}' }, { b: '${vars.a + "!"}' }] } },
          { type: 'add-headers', config: { headers: { 'x-b': '${vars.b}', 'x-n': 'n${1 + 1}' } } },
          { type: 'deny' },
        ],
      },
    ];
    expect(filledBy(rules)).toEqual([
      [],
      [
        [
          ['req.method', 'GET'],
          ['vars.a + "!"', 'GET!'],
        ],
        [
          ['vars.b', 'GET!'],
          ['1 + 1', '2'],
        ],
        [],
      ],
    ]);
  });

  it('show the numbers that were drawn', () => {
    const rules = [
      { actions: [{ type: 'set-vars', config: { vars: [{ a: '${rand.double()}' }] } }] },
      { actions: [{ type: 'add-headers', config: { headers: { 'x-a': '${vars.a}' } } }] },
    ];
    const [drawn, shown] = filledBy(rules, 7).map(actions => actions[0]?.[0]?.[1]);
    expect(typeof drawn).toBe('number');
    expect(shown).toBe(drawn);
  });
});
