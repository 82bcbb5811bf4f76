import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type { LintRule } from '../rule-api/lint-rule.ts';
import { mark, unmark } from './lint-example.ts';
import { readLintSettings } from './read-lint-settings.ts';

const EXAMPLE = { policy: '' };
const RULES: readonly LintRule[] = [
  {
    ...{ summary: '', rationale: '', bad: EXAMPLE, good: EXAMPLE, cost: 'fast', fixable: 'no', check: {} },
    id: 'style/long-expression',
    severity: 'info',
    presets: ['style'],
    options: [{ name: 'max', type: { kind: 'int', min: 1, max: 99 }, default: 3, doc: '' }],
  },
];

describe('readLintSettings', () => {
  it('returns the section, or an empty one if it is missing', () => {
    const read = (text: string) => readLintSettings(new SourceText('tollgate.yaml', text), RULES);
    expect(read('profile: modern').value).toEqual({});
    expect(read('lint:').value).toEqual({});
    expect(read('lint: {extends: [all], rules: {style/long-expression: {max: 5}}}')).toMatchObject({
      value: { extends: ['all'], rules: { 'style/long-expression': { max: 5 } } },
      diagnostics: [],
    });
  });

  it.each([
    ['lint: «5»', 'expected a map, found `5`'],
    ['lint: {extends: [«5»]}', 'expected a string, found `5`'],
    ['lint: {«exten»: []}', 'unknown key `exten`; did you mean `extends`?'],
    [
      'lint: {rules: {«style/long-expresion»: off}}',
      'unknown lint rule `style/long-expresion`; did you mean `style/long-expression`?',
    ],
    [
      'lint: {rules: {«long-expression»: off}}',
      'unknown lint rule `long-expression`; did you mean `style/long-expression`?',
    ],
    ['lint: {rules: {style/*: «of»}}', 'expected one of `error`, `warning`, `info`, `hint`, `off`, `on`, found `of`'],
    ['lint: {rules: {style/long-expression: {«maxx»: 1}}}', 'unknown key `maxx`; did you mean `max`?'],
    ['lint: {rules: {style/long-expression: {max: «many»}}}', 'expected an integer from 1 to 99, found `many`'],
    ['lint: {rules: {style/long-expression: {max: «100»}}}', 'expected an integer from 1 to 99, found `100`'],
    ['lint: {overrides: [«{rules: {}}»]}', 'missing key `files`'],
    ['lint: {overrides: [{files: [a], rules: {«no/such»: off}}]}', 'unknown lint rule `no/such`'],
  ])('reports the fault in %s', (marked, message) => {
    const { text } = unmark(marked);
    const { value, diagnostics } = readLintSettings(new SourceText('tollgate.yaml', text), RULES);
    expect(value).toBeUndefined();
    expect(
      mark(
        text,
        diagnostics.map(one => one.range),
      ),
    ).toBe(marked);
    expect(diagnostics.map(one => one.message)).toEqual([message]);
  });
});
