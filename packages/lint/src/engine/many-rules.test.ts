import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { LINT_RULES } from '../rules/lint-rules.ts';
import { createLinter, lintText } from './lint-text.ts';
import { resolveRules } from './resolve-rules.ts';

/** Without knowledge of copies, proofs about this many reach the work limit. */
const COPIES = 2500;

const deny = { type: 'deny' };

describe('thousands of copies of a rule', () => {
  const { active, adjust } = resolveRules(LINT_RULES, undefined, []);
  const linter = createLinter(active, { adjust });

  it.each([
    ['ends the evaluation', { expressions: ["req.Method == 'POST'"], actions: [deny] }],
    ['ends the evaluation of everything', { actions: [deny] }],
  ])('are reported one by one, within the work limit, if the rule %s', (_, rule) => {
    const codesOf = (count: number): ReadonlyMap<string, number> => {
      const source = new SourceText(
        'policy.json',
        JSON.stringify({ inbound: Array.from({ length: count }, () => rule) }),
      );
      const { diagnostics, undecided } = lintText(source, { profile: EDGE_V2, endpoint: 'https-route' }, linter);
      expect(undecided).toEqual([]);
      const byCode = Map.groupBy(diagnostics, ({ code }) => code);
      return new Map([...byCode].map(([code, found]) => [code, found.length]));
    };
    const few = codesOf(3);
    const perCopy = [...few].map(([code, count]) => [code, count === 1 ? 1 : COPIES - 3 + count] as const);
    expect(codesOf(COPIES)).toEqual(new Map(perCopy));
  });
});
