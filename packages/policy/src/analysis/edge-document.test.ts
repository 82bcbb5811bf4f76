import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { readEdgeDocument } from './edge-document.ts';

const read = (value: unknown) => readEdgeDocument(new SourceText('edge.json', JSON.stringify(value)));
const ROUTE = { match_type: 'path_prefix', match: '/' };

describe('an edge as a document', () => {
  it.each([
    [
      'routes',
      { routes: [ROUTE, { ...ROUTE, policy: {} }, { ...ROUTE, policy: null, traffic_policy: { inbound: [] } }] },
      ['https-route', 'routes/1/policy', 'routes/2/traffic_policy'],
    ],
    ['TLS', { hostports: ['a:443'], tls_termination: null, policy: { inbound: [] } }, ['tls-edge', 'policy']],
    ['TCP', { hostports: ['a:1'], policy: null }, ['tcp-edge']],
  ])('is recognized by its keys, with its policies: %s', (_, edge, [endpoint, ...paths]) => {
    const found = read(edge)!;
    expect([found.endpoint, found.policies.map(({ part }) => part.steps.join('/'))]).toEqual([endpoint, paths]);
  });

  it('has the value of `terminate_at` and the keys of its policies', () => {
    const text = '{"hostports": [], "tls_termination": {"terminate_at": "upstream"}, "policy": {}}';
    const { termination, policies } = readEdgeDocument(new SourceText('edge.json', text))!;
    expect([termination!.at, text.slice(termination!.range.start, termination!.range.end)]).toEqual([
      'upstream',
      '"upstream"',
    ]);
    expect(policies.map(({ keyRange }) => text.slice(keyRange.start, keyRange.end))).toEqual(['policy']);
  });

  it.each([
    ['a policy that mentions such keys', { inbound: [{ name: 'match_type: hostports: x' }] }],
    ['routes of something else', { routes: [{ path: '/', match_type: 1 }], inbound: [] }],
    ['a list', [{ hostports: [] }]],
  ])('is not %s', (_, value) => {
    expect(read(value)).toBeUndefined();
  });

  it('is not a document with errors', () => {
    expect(readEdgeDocument(new SourceText('edge.json', '{"hostports": [}'))).toBeUndefined();
  });
});
