import { NonValue } from '../values/value.ts';
import { AddressIndex } from './address-index.ts';
import type { Candidates } from './candidates.ts';
import type { IndexablePredicate, Term } from './indexable-predicate.ts';
import type { Find, GroupedRule, IndexNode, PredicateRule } from './lookup.ts';
import { type Mode, StringAutomaton } from './string-automaton.ts';
import { thresholdIndex } from './threshold-index.ts';

/** Assigns numbers to terms in the order of their first use. */
type NumberTerm = (term: Term) => number;

/** Evaluating this few rules is as fast as looking them up. */
const MIN_INDEXED_RULES = 4;

/** Builds the index of rules in ascending order. */
export function indexRules(rules: readonly PredicateRule[], numberOf: NumberTerm): IndexNode {
  const { groups, rest } = grouped(rules);
  const always = rest.length > 0 ? candidatesOf(rest) : undefined;
  const parts = groups.map(group => indexGroup(group, numberOf));
  return {
    gather: gathering => {
      if (always !== undefined) gathering.add(always);
      for (const part of parts) part.gather(gathering);
    },
  };
}

function candidatesOf(rules: readonly { readonly position: number }[]): Candidates {
  return { positions: Int32Array.from(rules, rule => rule.position) };
}

interface GroupContext {
  /** Tests of one kind on one term. */
  readonly groups: readonly (readonly GroupedRule[])[];
  readonly rest: readonly PredicateRule[];
}

/** Groups rules by the test that each shares with the fewest others. */
function grouped(rules: readonly PredicateRule[]): GroupContext {
  if (rules.length <= MIN_INDEXED_RULES) return { groups: [], rest: rules };
  const counts = new Map<string, number>();
  for (const { tests } of rules) {
    for (const key of tests.flatMap(valueKeys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, GroupedRule[]>();
  const rest: PredicateRule[] = [];
  for (const rule of rules) {
    const test = best(rule.tests, counts);
    if (test === undefined) {
      rest.push(rule);
      continue;
    }
    const key = `${test.kind} ${test.term.key}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push({ position: rule.position, rule, test });
  }
  return { groups: [...groups.values()], rest };
}

/** An estimate of the share of traffic that passes a test of each kind. */
const WEIGHTS: Readonly<Record<IndexablePredicate['kind'], number>> = {
  'one-of': 1,
  range: 2,
  suffix: 3,
  prefix: 3,
  substring: 5,
  threshold: 10_000,
};

function best(
  tests: readonly IndexablePredicate[],
  counts: ReadonlyMap<string, number>,
): IndexablePredicate | undefined {
  const costOf = (test: IndexablePredicate) =>
    WEIGHTS[test.kind] * valueKeys(test).reduce((sum, key) => sum + counts.get(key)!, 0);
  const [first, ...others] = tests;
  return others.reduce((chosen, test) => (chosen && costOf(test) < costOf(chosen) ? test : chosen), first);
}

/** Returns equal keys for tests that the same values pass. */
function valueKeys(test: IndexablePredicate): readonly string[] {
  const start = `${test.kind} ${test.term.key}`;
  switch (test.kind) {
    case 'one-of':
      return [...new Set(test.values)].map(value => `${start} ${typeof value} ${value}`);
    case 'range':
      return [`${start} ${test.range.ip.bytes.join('.')}/${test.range.prefixLength}`];
    case 'threshold':
      return [start];
    default:
      return [`${start} ${test.text}`];
  }
}

function indexGroup(group: readonly GroupedRule[], numberOf: NumberTerm): IndexNode {
  const { kind, term } = group[0]!.test;
  const number = numberOf(term);
  const all = candidatesOf(group);
  const find = kind === 'threshold' ? thresholdIndex(group) : valueIndex(group, numberOf);
  return {
    gather: gathering => {
      const value = gathering.valueOf(number);
      // If the value is an error or unknown, the rule must be evaluated.
      if (value instanceof NonValue || !find(value, gathering)) gathering.add(all);
    },
  };
}

function valueIndex(group: readonly GroupedRule[], numberOf: NumberTerm): Find {
  const members = new Map<string, { readonly test: IndexablePredicate; readonly rules: PredicateRule[] }>();
  for (const { rule, test } of group) {
    const remaining = { ...rule, tests: rule.tests.filter(other => other !== test) };
    for (const key of valueKeys(test)) {
      const bucket = members.get(key) ?? { test, rules: [] };
      members.set(key, bucket);
      bucket.rules.push(remaining);
    }
  }
  // Rules that the same values pass are indexed by their other tests.
  const nodes = new Map([...members].map(([key, { rules }]) => [key, indexRules(rules, numberOf)] as const));
  const tests = [...members.values()].map(({ test }) => test);
  switch (tests[0]!.kind) {
    case 'one-of':
      return equalityIndex(tests, nodes);
    case 'range':
      return rangeIndex(tests, [...nodes.values()]);
    default:
      return textIndex(tests, [...nodes.values()]);
  }
}

function equalityIndex(tests: readonly IndexablePredicate[], nodes: ReadonlyMap<string, IndexNode>): Find {
  const byValue = new Map<unknown, IndexNode>();
  for (const test of tests) {
    if (test.kind !== 'one-of') continue;
    const keys = valueKeys(test);
    for (const [at, value] of [...new Set(test.values)].entries()) byValue.set(value, nodes.get(keys[at]!)!);
  }
  return (value, gathering) => {
    byValue.get(value)?.gather(gathering);
    return true;
  };
}

function rangeIndex(tests: readonly IndexablePredicate[], nodes: readonly IndexNode[]): Find {
  const index = new AddressIndex(tests.flatMap(test => (test.kind === 'range' ? [test.range] : [])));
  return (value, gathering) => {
    const found: number[] = [];
    if (typeof value !== 'string' || !index.find(value, found)) return false;
    for (const position of found) nodes[position]!.gather(gathering);
    return true;
  };
}

function textIndex(tests: readonly IndexablePredicate[], nodes: readonly IndexNode[]): Find {
  const texts = tests.flatMap(test => ('text' in test ? [test.text] : []));
  // Rules that are not indexed are evaluated: slower, but with bounded memory.
  if (!StringAutomaton.isSmall(texts)) return () => false;
  const automaton = new StringAutomaton(texts, tests[0]!.kind as Mode);
  // The generation in which each string was last found, so that duplicates count once.
  const seen = new Uint32Array(texts.length);
  let run = 0;
  return (value, gathering) => {
    if (typeof value !== 'string') return false;
    const found: number[] = [];
    automaton.find(value, found);
    run = (run + 1) >>> 0;
    for (const position of found) {
      if (seen[position] === run) continue;
      seen[position] = run;
      nodes[position]!.gather(gathering);
    }
    return true;
  };
}
