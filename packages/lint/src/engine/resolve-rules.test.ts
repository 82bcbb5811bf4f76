import type { Diagnostic } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type { LintRule } from '../rule-api/lint-rule.ts';
import { type LintSettings, type RuleSettings, resolveRules } from './resolve-rules.ts';

const EXAMPLE = { policy: '' };
const ABOUT = {
  summary: '',
  rationale: '',
  bad: EXAMPLE,
  good: EXAMPLE,
  cost: 'fast',
  fixable: 'no',
  check: {},
} as const;
const RULES: readonly LintRule[] = [
  { ...ABOUT, id: 'url/a', severity: 'warning', presets: ['recommended'] },
  { ...ABOUT, id: 'url/b', severity: 'info', presets: ['style'] },
  {
    ...ABOUT,
    id: 'sec/c',
    severity: 'off',
    presets: ['security'],
    options: [{ name: 'max', type: { kind: 'int', min: 0, max: 9 }, default: 3, doc: '' }],
  },
  { ...ABOUT, id: 'own/d', severity: 'error', presets: [] },
];

function active(presets: LintSettings['extends'], ...layers: RuleSettings[]): readonly string[] {
  return resolveRules(RULES, presets, layers).active.map(({ rule, severity }) => `${rule.id} ${severity}`);
}

describe('resolveRules', () => {
  it.each<[LintSettings['extends'], RuleSettings[], string[]]>([
    [undefined, [], ['url/a warning', 'own/d error']],
    [['style', 'security'], [], ['url/b info', 'sec/c info', 'own/d error']],
    [['all'], [], ['url/a warning', 'url/b info', 'sec/c info', 'own/d error']],
    [[], [{ 'url/b': 'on', 'own/d': 'off' }], ['url/b info']],
    [[], [{ 'url/*': 'error', 'url/b': 'hint', 'own/d': 'off' }], ['url/a error', 'url/b hint']],
    [undefined, [{ 'url/a': 'error' }, { 'url/*': 'off' }], ['own/d error']],
    [[], [{ 'sec/c': { max: 5 }, 'own/*': 'off' }], ['sec/c info']],
    [[], [{ 'sec/c': { severity: 'error' }, 'own/*': 'off' }], ['sec/c error']],
  ])('selects lint rules from %j with %j', (presets, layers, expected) => {
    expect(active(presets, ...layers)).toEqual(expected);
  });

  it('adds default options, and lets later layers win', () => {
    const optionsOf = (...layers: RuleSettings[]) =>
      resolveRules(RULES, ['security'], layers).active.find(one => one.rule.id === 'sec/c')?.options;
    expect(optionsOf()).toEqual({ max: 3 });
    expect(optionsOf({ 'sec/c': { severity: 'error', max: 5 } }, { 'sec/c': { max: 7 } })).toEqual({ max: 7 });
  });

  it.each<[string, Diagnostic['severity'], RuleSettings, Diagnostic['severity'] | undefined]>([
    ['yaml/key-type', 'warning', { 'yaml/key-type': 'off' }, undefined],
    ['yaml/key-type', 'warning', { 'yaml/*': 'info' }, 'info'],
    ['yaml/key-type', 'warning', { 'doc/parse-error': 'error' }, 'error'],
    ['yaml/duplicate-key', 'error', { 'yaml/duplicate-key': 'off' }, 'error'],
    ['policy/unknown-action', 'error', { 'doc/unknown-action-type': 'warning' }, 'warning'],
    ['policy/unknown-action', 'error', {}, 'error'],
  ])('changes %s from %s with %j to %s', (code, severity, settings, expected) => {
    const diagnostic: Diagnostic = { code, severity, message: '', uri: '', range: { start: 0, end: 0 }, args: {} };
    expect(resolveRules([], [], [settings]).adjust(diagnostic)?.severity).toBe(expected);
  });
});
