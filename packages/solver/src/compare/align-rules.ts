import type { ConfigField } from '@tollgate/catalog';
import { unparse } from '@tollgate/cel';
import type { Action, Rule } from '@tollgate/policy';

/** A rule that both policies have, or rules of each policy between two such rules. */
export type Stretch =
  | { readonly kind: 'shared'; readonly before: Rule; readonly after: Rule }
  | { readonly kind: 'changed'; readonly before: readonly Rule[]; readonly after: readonly Rule[] };

/** Returns the rules of two lists in order, equal ones paired. Names do not count: they decide nothing. */
export function alignRules(before: readonly Rule[], after: readonly Rule[]): readonly Stretch[] {
  const [own, other] = [before.map(contentOf), after.map(contentOf)];
  const pairs = withoutMoved(pairEqual(own, other), own, other);
  const found: Stretch[] = [];
  let [from, to] = [0, 0];
  for (const [left, right] of [...pairs, [before.length, after.length] as const]) {
    const changed = { before: before.slice(from, left), after: after.slice(to, right) };
    if (changed.before.length + changed.after.length > 0) found.push({ kind: 'changed', ...changed });
    if (left < before.length) found.push({ kind: 'shared', before: before[left]!, after: after[right]! });
    [from, to] = [left + 1, right + 1];
  }
  return found;
}

type Pair = readonly [number, number];

/**
 * Leaves out pairs between the old and the new place of a rule that moved: only together do they show that it still handles what the rules
 * between do not take, and what both match.
 */
function withoutMoved(pairs: readonly Pair[], before: readonly string[], after: readonly string[]): readonly Pair[] {
  const [paired, matched] = [new Set(pairs.map(([at]) => at)), new Set(pairs.map(([, at]) => at))];
  const added = new Map<string, number[]>();
  after.forEach((content, at) => {
    if (!matched.has(at)) added.set(content, [...(added.get(content) ?? []), at]);
  });
  const moves = before.flatMap((content, from): readonly Pair[] => {
    const to = paired.has(from) ? undefined : added.get(content)?.shift();
    return to === undefined ? [] : [[from, to]];
  });
  return pairs.filter(([left, right]) => {
    const isBetween = ([from, to]: Pair) => left < from !== right < to;
    return !moves.some(move => Math.abs(move[0] - move[1]) <= MAX_MOVED && isBetween(move));
  });
}

/** Rules that move farther are compared at both places: the effect of many rules together is a large formula. */
const MAX_MOVED = 60;

/** Returns positions of equal keys, both ascending, as many as possible. */
function pairEqual(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
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
