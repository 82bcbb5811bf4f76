import { nearest } from '@tollgate/cel/tooling';
import { UsageError } from '../../process/exit-code.ts';
import { ruleTitle } from './rule-reason.ts';
import type { RuleView } from './trace-view.ts';

/** Selects the rules to show. */
interface RuleChoice {
  /** Numbers, phases with a number, or names. */
  readonly rule?: readonly string[];
  readonly only?: readonly string[];
}

/** Returns the selected rules in policy order. Throws a {@link UsageError} if a rule does not exist. */
export function chooseRules(rules: readonly RuleView[], { rule: words, only }: RuleChoice): readonly RuleView[] {
  const named = words && new Set(words.flatMap(word => rulesNamed(word, rules)));
  return rules.filter(rule => (named?.has(rule) ?? true) && (only?.includes(rule.result.status) ?? true));
}

function rulesNamed(word: string, rules: readonly RuleView[]): readonly RuleView[] {
  const found = rules.filter(rule => [rule.name, ruleTitle(rule), String(rule.number)].includes(word));
  if (found.length > 0) return found;
  const names = rules.map(rule => rule.name ?? ruleTitle(rule));
  const closest = nearest(word, names);
  const hint = closest === undefined ? `expected ${formatList(names)}` : `did you mean \`${closest}\`?`;
  throw new UsageError(`\`--rule\`: no rule \`${word}\`; ${hint}`);
}

const SHOWN = 10;

function formatList(names: readonly string[]): string {
  if (names.length === 0) return 'no rules';
  const shown = names.slice(0, SHOWN).map(name => `\`${name}\``);
  return names.length > SHOWN ? `${shown.join(', ')}, …` : shown.join(', ');
}
