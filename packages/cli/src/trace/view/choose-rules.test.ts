import type { RuleResult } from '@tollgate/simulator';
import { expect, it } from 'vitest';
import { chooseRules } from './choose-rules.ts';
import type { RuleView } from './trace-view.ts';

function rule(
  phase: RuleView['phase'],
  number: number,
  status: 'not-matched' | 'not-reached',
  name?: string,
): RuleView {
  const result: RuleResult = { status };
  return { phase, number, name, result, range: { start: 0, end: 0 }, reason: undefined, expressions: [], actions: [] };
}

const RULES = [
  rule('inbound', 1, 'not-matched', 'no bots'),
  rule('inbound', 2, 'not-reached'),
  rule('outbound', 1, 'not-reached', 'hide the server'),
];

it.each([
  [{}, [0, 1, 2]],
  [{ rule: ['1'] }, [0, 2]],
  [{ rule: ['inbound 1', 'hide the server'] }, [0, 2]],
  [{ only: ['not-reached'] }, [1, 2]],
  [{ rule: ['1'], only: ['not-reached', 'failed'] }, [2]],
])('selects rules by number, phase and number, name, and status: %j', (choice, expected) => {
  expect(chooseRules(RULES, choice)).toEqual(expected.map(index => RULES[index]));
});

it.each([
  ['no bot', '`--rule`: no rule `no bot`; did you mean `no bots`?'],
  ['7', '`--rule`: no rule `7`; expected `no bots`, `inbound 2`, `hide the server`'],
])('lists the existing rules: %s', (word, message) => {
  expect(() => chooseRules(RULES, { rule: [word] })).toThrow(message);
});
