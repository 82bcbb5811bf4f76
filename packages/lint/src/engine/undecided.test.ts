import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, inject, it } from 'vitest';
import { activate } from '../engine/resolve-rules.ts';
import { LINT_RULES } from '../rules/lint-rules.ts';
import { createLinter, lintText } from './lint-text.ts';

const OPTIONS = { profile: EDGE_V2, endpoint: 'https-route' } as const;
const LOGIC = LINT_RULES.filter(rule => rule.id.startsWith('logic/'));

function lint(text: string) {
  return lintText(new SourceText('p.yaml', text), OPTIONS, createLinter(LOGIC.map(rule => activate(rule))));
}

function policyOf(rules: number, condition: (index: number) => string): string {
  const written = Array.from(
    { length: rules },
    (_, index) => `  - expressions: [${JSON.stringify(condition(index))}]\n    actions: [{ type: deny }]\n`,
  );
  return `inbound:\n${written.join('')}`;
}

/** Whether one path has all of these words at their distances is more than a question may cost. */
const WINDOWS = Array.from({ length: 6 }, (_, at) => `req.Path.matches('${'abcdef'[at]}.{${12 + at}}${'uvwxyz'[at]}')`);
const HARD = policyOf(2, index => `${WINDOWS.join(' && ')} && req.Path.matches('[0-9].{${20 + index}}[0-9]')`);

// Each question costs as much as it may: 13 s of processor time in all.
it.runIf(inject('isDeep'))('reports the same undecided lint rules each time', () => {
  const [first, again] = [lint(HARD), lint(HARD)];
  expect(first.undecided.length).toBeGreaterThan(0);
  const [finding] = first.diagnostics.filter(one => one.code === 'lint/undecided');
  expect(finding).toMatchObject({ severity: 'info', args: { rules: first.undecided.join() } });
  expect(finding!.message).toMatch(/^work limit reached: `logic\//);
  expect(again).toEqual({ ...first, analysis: again.analysis });
});

it('reports nothing when everything was decided', () => {
  const { undecided, diagnostics } = lint(policyOf(200, index => `req.Path == '/${index}'`));
  expect([undecided, diagnostics.filter(one => one.code === 'lint/undecided')]).toEqual([[], []]);
});

it('terminates for nested loops over lists', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const list = "['1','2','3','4','5','6','7','8']";
  const open = names.map(name => `${list}.exists(${name}, `).join('');
  const nested = `${open}${names.map(name => `req.Path == ${name}`).join(' && ')}${')'.repeat(names.length)}`;
  const { diagnostics } = lint(policyOf(1, () => nested));
  expect(diagnostics.filter(one => one.code.startsWith('lint/'))).toEqual([]);
});
