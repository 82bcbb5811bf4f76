import type { ConfigField } from '@tollgate/catalog';
import { unparse } from '@tollgate/cel';
import type { Action, Rule } from '@tollgate/policy';

/** A rule that both policies have, or rules of each policy between two such rules. */
export type Stretch =
  | { readonly kind: 'shared'; readonly before: Rule; readonly after: Rule }
  | { readonly kind: 'changed'; readonly before: readonly Rule[]; readonly after: readonly Rule[] };

/** Returns the rules of two lists in order, equal ones paired. Names do not count: they decide nothing. */
export function alignRules(before: readonly Rule[], after: readonly Rule[]): readonly Stretch[] {
  const pairs = pairEqual(before.map(contentOf), after.map(contentOf));
  const found: Stretch[] = [];
  let [from, to] = [0, 0];
  for (const [left, right] of [...pairs, [before.length, after.length] as const]) {
    const [own, other] = [before.slice(from, left), after.slice(to, right)];
    if (own.length + other.length > 0) found.push({ kind: 'changed', before: own, after: other });
    if (left < before.length) found.push({ kind: 'shared', before: before[left]!, after: after[right]! });
    [from, to] = [left + 1, right + 1];
  }
  return found;
}

/** Returns positions of equal keys, both ascending, as many as possible. */
export function pairEqual(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = commonOf(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [
    ...Array.from({ length: start }, (_, at) => [at, at] as const),
    ...middle.map(([left, right]) => [left + start, right + start] as const),
    ...Array.from({ length: end }, (_, at) => [before.length - end + at, after.length - end + at] as const),
  ];
}

/** The longest common subsequence. */
function commonOf(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      const at = left * width + right;
      lengths[at] =
        before[left] === after[right] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let left = 0, right = 0; left < before.length && right < after.length; ) {
    const at = left * width + right;
    if (before[left] === after[right]) found.push([left++, right++]);
    else if (lengths[at + width]! >= lengths[at + 1]!) left++;
    else right++;
  }
  return found;
}

function contentOf(rule: Rule): string {
  return `${rule.expressions.map(({ source, typed }) => (typed === undefined ? source : unparse(typed.ast))).join('\n')}\n${actionsOf(rule)}`;
}

/** Returns a string that is equal for rules with the same actions: spelled-out defaults and the order of keys do not count. */
export function actionsOf({ actions }: Rule): string {
  return JSON.stringify(actions.map(action => [action.type.value, completeConfig(action)]));
}

function completeConfig({ fact, config }: Action): unknown {
  const defaults = (fact?.config ?? []).flatMap(({ name, default: value }: ConfigField) =>
    value === undefined || (config[name] ?? null) !== null ? [] : [[name, value] as const],
  );
  return sorted({ ...config, ...Object.fromEntries(defaults) });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, one]) => [key, sorted(one)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
