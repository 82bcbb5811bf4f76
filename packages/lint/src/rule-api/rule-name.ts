import type { Range } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';

/** Returns the range that stands for a rule: its name, or its first key if it has none. */
export function rangeOfRule({ name, range }: Rule, document: string): Range {
  if (name !== undefined && name.value.trim() !== '') return name.range;
  const [before, key] = FIRST_KEY.exec(document.slice(range.start, range.end)) ?? ['', ''];
  const end = range.start + before.length;
  return { start: end - key!.length, end };
}

const FIRST_KEY = /^[{\s]*["']?([\w-]+)/;

/** Returns the name of a rule for messages: its position in the phase, counted from 1, and its name. */
export function nameOfRule({ name, index }: Rule): string {
  return name === undefined || name.value.trim() === '' ? `rule ${index + 1}` : `rule ${index + 1} \`${name.value}\``;
}

/** Returns the names of several rules, such as `rule 1 and rule 3`; those of other phases than `phase` with theirs. */
export function namesOfRules(rules: readonly Rule[], phase?: Rule['phase']): string {
  const names = rules.map(rule =>
    phase === undefined || rule.phase === phase ? nameOfRule(rule) : `${nameOfRule(rule)} of \`${rule.phase}\``,
  );
  if (names.length === 1) return names[0]!;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
