import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import type { LintRule, Visitor } from '../rule-api/lint-rule.ts';
import { rangeInDocument } from '../rule-api/linted-expression.ts';
import { createLinter, lintText } from './lint-text.ts';
import { activate } from './resolve-rules.ts';

const POLICY = `on_http_request:
  - name: a
    expressions: ["'x' in req.headers && req.headers['x'].exists(v, v == req.method)", "req.nosuch == 1"]
    actions:
      - {type: log, config: {metadata: {who: "\${req.host} or \${size(req.method)}"}}}
`;

/** Returns what a lint rule with this visitor records for the policy. */
function seen(make: (write: (line: string) => void) => Visitor, cost: LintRule['cost'] = 'fast'): readonly string[] {
  const lines: string[] = [];
  const example = { policy: '' };
  const about = { summary: '', rationale: '', bad: example, good: example, fixable: 'no', presets: [] } as const;
  const rule: LintRule = { id: 'doc/seen', severity: 'info', cost, ...about, check: make(line => lines.push(line)) };
  const options = { profile: MODERN, endpoint: 'http-endpoint' } as const;
  lintText(new SourceText('p', POLICY), options, createLinter([activate(rule)]));
  return lines;
}

it('visits outer nodes before inner ones, and conditions before actions', () => {
  expect(
    seen(write => ({
      file: file => write(`file of ${file.policies.length}`),
      policy: policy => write(`policy of ${policy.rules.on_http_request.length}`),
      rule: rule => write(`rule ${rule.name?.value}`),
      action: (action, { index }) => write(`action ${index} ${action.type.value}`),
      configString: text => write(`text ${text.path.join('.')}`),
      expression: ({ role, offset, config }) => write(`${role} at ${offset} of ${config?.path.join('.')}`),
    })),
  ).toEqual([
    'file of 1',
    'policy of 1',
    'rule a',
    'condition at 0 of undefined',
    'action 0 log',
    'text metadata.who',
    'interpolation at 2 of metadata.who',
    'interpolation at 17 of metadata.who',
  ]);
});

it('visits macros as written, with ancestors and ranges in the document', () => {
  const source = (start: number, end: number) => POLICY.slice(start, end);
  const found = seen(write => ({
    calls: {
      exists: (call, at) => {
        const { start, end } = rangeInDocument(at, call.range);
        write(`${source(start, end)} in ${at.ancestors.map(one => one.kind).join(' ')}`);
      },
      '_==_': (call, at) => {
        const { start, end } = rangeInDocument(at, call.range);
        write(`${source(start, end)} in ${at.ancestors.length}`);
      },
      size: (call, at) => {
        const { start, end } = rangeInDocument(at, call.range);
        write(source(start, end));
      },
    },
    nodes: {
      comprehension: () => write('a comprehension'),
      literal: node => write(`literal ${node.literal.value}`),
    },
  }));
  expect(found).toEqual([
    'literal x',
    "req.headers['x'].exists(v, v == req.method) in call",
    'literal x',
    'v == req.method in 2',
    'size(req.method)',
  ]);
});
