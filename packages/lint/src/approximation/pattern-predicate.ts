import type { AST } from '@eslint-community/regexpp';
import { EvaluationError } from '@tollgate/cel';
import { compilePattern } from '@tollgate/cel/tooling';
import { matchingText } from '../regex/matching-text.ts';
import { patternTree } from '../regex/pattern-tree.ts';
import type { LiteralTest } from '../solver/formula/simple-test.ts';
import type { PatternLiteral, PatternPredicate } from './abstract-condition.ts';

const SEARCHES = { literal: 'part', prefix: 'prefix', suffix: 'suffix', equals: 'equal' } as const;

/** Returns what a regular expression tests; undefined if it is invalid or matches everything. */
export function patternPredicate(
  pattern: string,
  limits: Parameters<typeof compilePattern>[1],
): PatternPredicate | { readonly kind: 'search'; readonly question: LiteralTest } | undefined {
  const compiled = compilePattern(pattern, limits);
  if (compiled instanceof EvaluationError) return undefined;
  if (compiled.kind !== 'regexp' && compiled.kind !== 're2') {
    const test = SEARCHES[compiled.kind];
    if (compiled.text === '' && test !== 'equal') return undefined;
    return { kind: 'search', question: { test, literals: [compiled.text], set: undefined, isNegated: false } };
  }
  const root = patternTree(pattern)?.root;
  const sample = root && matchingText(root);
  return {
    kind: 'pattern',
    test: text => compiled.test(text),
    sample: sample !== undefined && compiled.test(sample) ? sample : undefined,
    // Flags change the meaning of characters and anchors.
    literals: root && !/^\(\?[imsU]/.test(pattern) ? literalsOf(root.alternatives) : undefined,
  };
}

/** Returns the literals of all alternatives; undefined if one alternative has none. */
function literalsOf(alternatives: readonly AST.Alternative[]): readonly PatternLiteral[] | undefined {
  const found = alternatives.map(one => literalsIn(one.elements));
  return found.includes(undefined) ? undefined : found.flatMap(one => one!);
}

function literalsIn(elements: readonly AST.Element[]): readonly PatternLiteral[] | undefined {
  const [first, ...rest] = elements;
  const isAnchored = first?.type === 'Assertion' && first.kind === 'start';
  const runs = runsOf(isAnchored ? rest : elements);
  if (isAnchored && runs[0]) return [{ test: 'prefix', text: runs[0] }];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest !== '') return [{ test: 'part', text: longest }];
  for (const one of elements) {
    const inside = one.type === 'Group' || one.type === 'CapturingGroup' ? literalsOf(one.alternatives) : undefined;
    // The start of a group need not be the start of the match.
    if (inside !== undefined) return inside.map(({ text }) => ({ test: 'part', text }));
  }
  return undefined;
}

/** Returns runs of adjacent characters; the first is empty if the pattern starts with something else. */
function runsOf(elements: readonly AST.Element[]): readonly string[] {
  const runs = [''];
  for (const one of elements) {
    if (one.type === 'Character') runs[runs.length - 1] += String.fromCodePoint(one.value);
    else runs.push('');
  }
  return runs;
}
