import { EDGE_V2_SNAKE } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { analyzePolicy } from '../analysis/analyze-policy.ts';

function hints(expression: string, metadata = 'x') {
  const text = `inbound:\n- expressions: [${JSON.stringify(expression)}]\n  actions: [{type: log, config: {metadata: {a: ${JSON.stringify(metadata)}}}}]\n`;
  const { diagnostics } = analyzePolicy(new SourceText('p', text), { profile: EDGE_V2_SNAKE, endpoint: 'https-route' });
  return diagnostics.map(({ code, severity, range, tags, fixes }) => [
    ...[code, severity, text.slice(range.start, range.end), tags?.[0]],
    fixes?.[0]?.edits[0]?.newText,
  ]);
}

const START = ['name/deprecated-variable', 'hint', 'conn.start_ts', 'deprecated', 'conn.ts.start'];

it.each([
  ['conn.start_ts == conn.ts.start', [START]],
  ['[1].exists(x, x == 1 && conn.start_ts == conn.ts.start)', [START]],
  ['conn.start_ts == conn.start_ts', [START, START]],
  ['has(conn.end_ts)', [['name/deprecated-variable', 'hint', 'conn.end_ts', 'deprecated', undefined]]],
  ['conn.ts.start == conn.ts.start', []],
  ['[1].exists(start_ts, start_ts == 1)', []],
])('reports a hint for a deprecated variable: %s', (expression, expected) => {
  expect(hints(expression)).toEqual(expected.map(one => [...one]));
});

it('reports deprecated variables inside strings too', () => {
  expect(hints('true || false', 'since ${conn.start_ts}')).toEqual([START]);
});
