// How two canonical modules differ, in words of rules and values.

import { canonicalText, isObject, type Json } from './json.ts';
import { type Canonical, type CanonicalRule, type ModuleName, phasesOf } from './module.ts';
import { maskModule } from './secrets.ts';

/** A change that writing a module makes. */
export type PolicyChange = RuleChange | ValueChange;

/** A change to a rule of a policy. */
export interface RuleChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  readonly phase: string;
  readonly name: string;
  /** Zero-based index in the live policy; undefined for an added rule. */
  readonly from: number | undefined;
  /** Zero-based index in the new policy; undefined for a removed rule. */
  readonly to: number | undefined;
  /** What is different within a changed rule. */
  readonly values: readonly ValueChange[];
}

/** A change to a value. Secrets are masked. */
export interface ValueChange {
  readonly kind: 'value';
  /** Such as `actions[0].config.status_code`. */
  readonly path: string;
  /** Undefined if absent. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Returns the changes from one module to another; empty exactly if their canonical forms are equal. */
export function moduleChanges(module: ModuleName, before: Canonical, after: Canonical): readonly PolicyChange[] {
  if (canonicalText(before) === canonicalText(after)) return [];
  if (module !== 'policy') return valuesOrSecret(module, before, after);
  const phases = [...new Set([...Object.keys(phasesOf(before)), ...Object.keys(phasesOf(after))])];
  const rules = phases.flatMap(phase =>
    phaseChanges(phase, phasesOf(before)[phase] ?? [], phasesOf(after)[phase] ?? []),
  );
  const values = valueChanges('enabled', before?.enabled ?? true, after?.enabled ?? true);
  if (rules.length + values.length > 0) return [...values, ...rules];
  // A policy without rules appears or disappears.
  return [{ kind: 'value', path: 'policy', before: before ?? undefined, after: after ?? undefined }];
}

/** The masked values may be equal although the secrets differ. */
function valuesOrSecret(module: ModuleName, before: Canonical, after: Canonical): readonly ValueChange[] {
  const masked = valueChanges('', maskModule(module, before), maskModule(module, after));
  const secret = { kind: 'value', path: 'secret', before: '(secret)', after: '(another secret)' } as const;
  return masked.length > 0 ? masked : [secret];
}

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly isEqual: boolean;
}

function phaseChanges(phase: string, before: readonly CanonicalRule[], after: readonly CanonicalRule[]): RuleChange[] {
  const pairs = pairRules(before, after);
  const kept = longestIncreasing(pairs);
  const isPaired = { from: new Set(pairs.map(one => one.from)), to: new Set(pairs.map(one => one.to)) };
  const removed = before.flatMap((rule, from): RuleChange[] =>
    isPaired.from.has(from) ? [] : [{ kind: 'removed', phase, name: rule.name, from, to: undefined, values: [] }],
  );
  const added = after.flatMap((rule, to): RuleChange[] =>
    isPaired.to.has(to) ? [] : [{ kind: 'added', phase, name: rule.name, from: undefined, to, values: [] }],
  );
  const others = pairs.flatMap((pair): RuleChange[] => {
    const { from, to, isEqual } = pair;
    const facts = { phase, name: after[to]!.name, from, to };
    if (!isEqual) return [{ kind: 'changed', ...facts, values: ruleChanges(before[from]!, after[to]!) }];
    return kept.has(pair) ? [] : [{ kind: 'moved', ...facts, values: [] }];
  });
  return [...removed, ...[...added, ...others].sort((a, b) => a.to! - b.to!)];
}

/**
 * Pairs equal rules, then rules of the same name, then rules that were renamed, then what is left of rules without a name. In order of the
 * new index.
 */
function pairRules(before: readonly CanonicalRule[], after: readonly CanonicalRule[]): readonly Pair[] {
  const pairs: Pair[] = [];
  const isFree = { from: new Set(before.keys()), to: new Set(after.keys()) };
  const pairBy = (keyOf: (rule: CanonicalRule) => string | undefined, isEqual: boolean) => {
    const waiting = Map.groupBy(isFree.from, index => keyOf(before[index]!));
    for (const to of [...isFree.to]) {
      const key = keyOf(after[to]!);
      const from = key === undefined ? undefined : waiting.get(key)?.shift();
      if (from === undefined) continue;
      pairs.push({ from, to, isEqual });
      isFree.from.delete(from);
      isFree.to.delete(to);
    }
  };
  pairBy(canonicalText, true);
  pairBy(({ name }) => (name === '' ? undefined : name), false);
  pairBy(({ expressions, actions }) => canonicalText([expressions, actions]), false);
  pairBy(({ name }) => (name === '' ? '' : undefined), false);
  return pairs.sort((a, b) => a.to - b.to);
}

/** Returns the largest set of pairs whose order is the same on both sides; all others have moved. */
function longestIncreasing(pairs: readonly Pair[]): ReadonlySet<Pair> {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, { from }] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]!.from < from) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? undefined : tails[low - 1]);
    tails[low] = index;
  }
  const kept = new Set<Pair>();
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) kept.add(pairs[at]!);
  return kept;
}

/** A masked rule may look unchanged although a secret in it differs. */
function ruleChanges(before: CanonicalRule, after: CanonicalRule): readonly ValueChange[] {
  const [was, becomes] = [before, after].map(maskedRule);
  const found = valueChanges('', was!, becomes!);
  const secret = { kind: 'value', path: 'actions', before: '(secret)', after: '(another secret)' } as const;
  return found.length > 0 ? found : [secret];
}

function maskedRule(rule: CanonicalRule): Json {
  return phasesOf(maskModule('policy', { rules: { inbound: [rule] } })).inbound![0]!;
}

function valueChanges(path: string, before: Json | undefined, after: Json | undefined): readonly ValueChange[] {
  if (before === undefined || after === undefined) {
    return before === after ? [] : [{ kind: 'value', path, before, after }];
  }
  if (canonicalText(before) === canonicalText(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => valueChanges(`${path}[${index}]`, before[index], after[index])).flat();
  }
  if (!isObject(before) || !isObject(after)) return [{ kind: 'value', path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap(key => valueChanges(path === '' ? key : `${path}.${key}`, before[key], after[key]));
}
