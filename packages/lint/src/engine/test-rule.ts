import type { Diagnostic, Severity } from '@tollgate/diagnostics';
import { deepEqual } from '@tollgate/diagnostics/portable';
import { applyEdits } from '@tollgate/policy';
import type { LintExample, LintRule } from '../rule-api/lint-rule.ts';
import { lintExample, lintedText, mark, unmark } from './lint-example.ts';
import { createLinter, mayReport } from './lint-text.ts';
import { activate } from './resolve-rules.ts';

/** A policy in which a lint rule has findings at the marks. */
export interface FiringCase extends LintExample {
  /** Message of the first finding. */
  readonly message?: string;
  /** Severity of the first finding. */
  readonly severity?: Severity;
  /** The policy after all safe fixes; not checked when absent. */
  readonly fixed?: string;
  /** The policy after the first fix of the first finding, of any kind. */
  readonly suggested?: string;
}

/** Cases by name; names continue the id: `fires for a bot in the user agent`. */
export interface RuleCases {
  readonly fires: Readonly<Record<string, FiringCase | string>>;
  readonly silent: Readonly<Record<string, LintExample | string>>;
  /** Lint rules that run as well; their findings are ignored. */
  readonly beside?: readonly LintRule[];
}

/** Registers a test, as `it` of vitest and `test` of `node:test` do. */
export type RegisterTest = (name: string, test: () => void) => unknown;

/**
 * Registers a test for each case and for the examples of a lint rule. Ranges must be exact; messages and fixes are checked where given.
 * Other lint rules do not run, and the analysis must not report errors.
 */
export function testRule(register: RegisterTest, rule: LintRule, cases: RuleCases): void {
  const { fires, silent, beside = [] } = cases;
  const rules = [rule, ...beside];
  const firing = { 'at the marks of its bad example': rule.bad, ...fires };
  for (const [name, one] of Object.entries(firing)) {
    register(`${rule.id} fires ${name}`, () => expectFindings(rules, asExample(one)));
  }
  const quiet = { 'for its good example': rule.good, ...silent };
  for (const [name, one] of Object.entries(quiet)) {
    register(`${rule.id} is silent ${name}`, () => {
      const example = asExample(one);
      const { text, ranges } = unmark(lintedText(example));
      assertEqual(ranges, [], 'a silent case has no marks');
      assertEqual(marks(text, findingsOf(rules, example)), text);
    });
  }
}

function asExample<T extends LintExample>(one: T | string): T | LintExample {
  return typeof one === 'string' ? { policy: one } : one;
}

function expectFindings(rules: readonly LintRule[], example: FiringCase): void {
  const { text, ranges } = unmark(lintedText(example));
  const found = findingsOf(rules, example);
  assertEqual(marks(text, found), mark(text, ranges));
  assertEqual(ranges.length > 0, true, 'a firing case has a mark');
  if (example.message !== undefined) assertEqual(found[0]!.message, example.message);
  if (example.severity !== undefined) assertEqual(found[0]!.severity, example.severity);
  if (example.fixed !== undefined) assertEqual(withSafeFixes(text, found), example.fixed);
  if (example.suggested !== undefined)
    assertEqual(applyEdits(text, found[0]!.fixes?.[0]?.edits ?? []), example.suggested);
}

function marks(text: string, found: readonly Diagnostic[]): string {
  return mark(
    text,
    found.map(one => one.range),
  );
}

function withSafeFixes(text: string, found: readonly Diagnostic[]): string {
  const safe = found.flatMap(one => one.fixes?.find(fix => fix.applicability === 'safe')?.edits ?? []);
  return applyEdits(text, safe);
}

/** Dates in examples are long past or far ahead of this one. */
const TODAY = '2030-01-01';

/**
 * Returns the findings of the first lint rule. Fails if the analysis reports an error, because then the lint rule may not see the whole
 * policy.
 */
function findingsOf(rules: readonly LintRule[], example: LintExample): readonly Diagnostic[] {
  const active = rules.map(one => activate(one, one === rules[0] ? example.options : {}));
  const linter = createLinter(active);
  const diagnostics = lintExample(example, linter, { today: TODAY });
  const errors = diagnostics.filter(one => !rules.some(rule => rule.id === one.code) && one.severity === 'error');
  assertEqual(
    errors.map(one => `${one.code}: ${one.message}`),
    [],
    'the analysis finds no error',
  );
  const found = diagnostics.filter(one => one.code === rules[0]!.id);
  const tooHigh = found.filter(one => !mayReport(active[0]!, one.severity)).map(one => one.severity);
  assertEqual(tooHigh, [], 'no finding has a higher severity than the lint rule declares');
  return found;
}

/** Throws what test runners show as a difference. */
function assertEqual(actual: unknown, expected: unknown, message = 'the findings are those that are marked'): void {
  if (deepEqual(actual, expected)) return;
  throw Object.assign(new Error(message), { name: 'AssertionError', actual, expected, operator: 'deepStrictEqual' });
}

/** Returns a policy of one rule with this condition, in a block scalar that needs no escapes. */
export function when(
  condition: string,
  { phase = 'inbound', action = '{type: deny}' }: { readonly phase?: string; readonly action?: string } = {},
): string {
  return `${phase}:\n  - name: a rule\n    expressions:\n      - |-\n        ${condition}\n    actions: [${action}]\n`;
}
