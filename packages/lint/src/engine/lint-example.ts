// Lints the examples of rules, in which `«` and `»` mark what is to be found.

import { PROFILES } from '@tollgate/catalog';
import { type Diagnostic, type Range, SourceText } from '@tollgate/diagnostics';
import { analyzePolicies, readEdgeDocument } from '@tollgate/policy';
import type { LintExample } from '../rule-api/lint-rule.ts';
import { type Linter, type LintTextOptions, lintTests, lintText } from './lint-text.ts';

/** Returns the marked source of an example that is linted: its tests if it has some, otherwise its policy. */
export function lintedText({ policy, tests }: LintExample): string {
  return tests ?? policy;
}

/**
 * Lints an example.
 *
 * @param text replaces the source of the example
 *
 * @param today the date that suppressions are compared with
 */
export function lintExample(
  example: LintExample,
  linter: Linter,
  { text = unmark(lintedText(example)).text, today }: { readonly text?: string; readonly today?: string } = {},
): readonly Diagnostic[] {
  const profile = PROFILES.find(one => one.name === (example.profile ?? 'edge-v2'))!;
  const { coverage, endpoint = profile.endpoints[0]! } = example;
  const options: LintTextOptions = {
    profile,
    endpoint,
    ...(coverage && { coverageOf: () => coverage }),
    ...(today !== undefined && { today }),
  };
  if (example.tests !== undefined) {
    const { policies } = analyzePolicies(new SourceText('policy.yaml', example.policy), options);
    const rules = policies.flatMap(policy => profile.phases.flatMap(phase => policy.rules[phase]));
    return lintTests(new SourceText('policy.test.yaml', text), { ...options, rules }, linter).diagnostics;
  }
  const source = new SourceText('policy.yaml', text);
  const edge = example.isEdge ? readEdgeDocument(source) : undefined;
  if (!edge) return lintText(source, options, linter).diagnostics;
  return edge.policies.flatMap(
    ({ part }) => lintText(source, { ...options, endpoint: edge.endpoint, part, edge }, linter).diagnostics,
  );
}

/** Removes the marks `«` and `»` and returns the ranges between them, in order. Marks may be nested. */
export function unmark(marked: string): { readonly text: string; readonly ranges: readonly Range[] } {
  let text = '';
  const open: number[] = [];
  const ranges: Range[] = [];
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') open.push(text.length);
    else if (part === '»') ranges.push({ start: open.pop() ?? 0, end: text.length });
    else text += part;
  }
  return { text, ranges: ranges.toSorted(byPlace) };
}

/** Adds marks around ranges. */
export function mark(text: string, ranges: readonly Range[]): string {
  const marks = ranges.flatMap(({ start, end }) => [
    { at: start, sign: '«', order: start === end ? 1 : 2 },
    { at: end, sign: '»', order: start === end ? 1.5 : 0 },
  ]);
  let result = text;
  for (const { at, sign } of marks.toSorted((a, b) => b.at - a.at || b.order - a.order))
    result = result.slice(0, at) + sign + result.slice(at);
  return result;
}

function byPlace(a: Range, b: Range): number {
  return a.start - b.start || a.end - b.end;
}
