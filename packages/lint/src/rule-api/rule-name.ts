import type { Range } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';

/** Where a rule as a whole is marked: its name, or its first key without one. */
export function placeOfRule({ name, range }: Rule, document: string): Range {
  if (name !== undefined && name.value.trim() !== '') return name.range;
  const [before, key] = FIRST_KEY.exec(document.slice(range.start, range.end)) ?? ['', ''];
  const end = range.start + before.length;
  return { start: end - key!.length, end };
}

const FIRST_KEY = /^[{\s]*["']?([\w-]+)/;

/** A rule as messages call it: by position in its phase, from 1, and by name. */
export function nameOfRule({ name, index }: Rule): string {
  return name === undefined || name.value.trim() === '' ? `rule ${index + 1}` : `rule ${index + 1} \`${name.value}\``;
}

/** Several rules, as in `rule 1 and rule 3`. */
export function namesOfRules(rules: readonly Rule[]): string {
  const names = rules.map(nameOfRule);
  if (names.length === 1) return names[0]!;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
