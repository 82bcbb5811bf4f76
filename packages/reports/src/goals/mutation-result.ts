// What tests notice of mistakes in a policy: the model that all formats print, its figures, text and JSON.

import { codeFrame, humanPosition, type Paint, printable, type Range, type SourceText } from '@tollgate/diagnostics';
import { type TestToWrite, testText } from '@tollgate/policy';
import { pluralize } from '../text/figures.ts';
import type { Layout } from '../text/layout.ts';

/** A policy and what its tests notice of its mutants. */
export interface PolicyMutants {
  /** As the report names it. */
  readonly name: string;
  /** The file that contains it. */
  readonly source: SourceText;
  readonly mutants: readonly ReportedMutant[];
  /** Mutants beyond the limit. */
  readonly cut: number;
  /** Nothing that a disabled policy says matters, so it is not mutated. */
  readonly isDisabled: boolean;
  /** The percentage that is asked for; undefined if none is. */
  readonly threshold: number | undefined;
}

/** A mutant with what became of it. */
export interface ReportedMutant {
  readonly id: string;
  readonly operator: string;
  /** In the file. */
  readonly range: Range;
  readonly original: string;
  /** Empty if the original is left out. */
  readonly mutated: string;
  /** The phase and number of the rule, and its name if it has one. */
  readonly rule: string;
  readonly state: MutantState;
  /** Names of the test that killed it. */
  readonly killer?: string;
  /** Of one that survives: a request that tells it apart, and the test that would kill it if tests can state the request. */
  readonly request?: string;
  readonly test?: TestToWrite;
  /** Why it is equivalent or undecided. */
  readonly reason?: string;
}

const STATES = ['killed', 'survived', 'open', 'equivalent', 'unreached'] as const;

type MutantState = (typeof STATES)[number];

/** Counts mutants by what became of them. */
export function countMutants({ mutants }: PolicyMutants): Readonly<Record<MutantState, number>> {
  const countOf = (state: MutantState) => mutants.filter(one => one.state === state).length;
  return {
    killed: countOf('killed'),
    survived: countOf('survived'),
    open: countOf('open'),
    equivalent: countOf('equivalent'),
    unreached: countOf('unreached'),
  };
}

/** Returns the percentage of mutants that tests kill, of those that they reach and that are not proved equivalent; rounded down, so that 100 means all. */
export function scoreOf(policy: PolicyMutants): number {
  const { killed, survived, open } = countMutants(policy);
  const all = killed + survived + open;
  return all === 0 ? 100 : Math.floor((killed * 100) / all);
}

/** Returns true if tests kill fewer mutants than is asked for. */
export function isBelowScore(policy: PolicyMutants): boolean {
  return policy.threshold !== undefined && !policy.isDisabled && scoreOf(policy) < policy.threshold;
}

/** Renders mutants: those that survive with a test to paste, and those that are undecided. With `verbose`, also why others are equivalent. */
export function textMutants(policies: readonly PolicyMutants[], layout: Layout, verbose = false): string {
  const blocks = policies.map(one => policyText(one, layout, verbose));
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function policyText(policy: PolicyMutants, { paint, width }: Layout, verbose: boolean): string {
  const { name, mutants, cut, isDisabled, source } = policy;
  if (isDisabled) return `${paint('strong', printable(name))}  no mutants: the policy is disabled`;
  const shown = (state: MutantState) => mutants.filter(one => one.state === state);
  const seen = new Set<string>();
  const survivors = shown('survived').map(mutant => {
    const isKnown = mutant.test !== undefined && seen.has(mutant.test.name);
    if (mutant.test !== undefined) seen.add(mutant.test.name);
    return `${frameOf(mutant, source, { paint, width })}\n${tellingText(mutant, isKnown, paint)}`;
  });
  const reasons = (verbose ? [...shown('open'), ...shown('equivalent')] : shown('open')).map(
    mutant => `${frameOf(mutant, source, { paint, width })}\n${printable(mutant.reason ?? '')}`,
  );
  const { unreached } = countMutants(policy);
  return [
    figures(policy, paint),
    ...survivors,
    ...reasons,
    ...(unreached > 0
      ? [
          `${pluralize(unreached, 'mutant')} not run, because no test reaches the rule; \`--coverage\` shows what is missing`,
        ]
      : []),
    ...(cut > 0 ? [`${pluralize(cut, 'mutant')} not run: the policy has too many`] : []),
  ].join('\n\n');
}

const WORDS: Readonly<Record<MutantState, string>> = {
  killed: 'killed',
  survived: 'survive',
  open: 'undecided',
  equivalent: 'equivalent',
  unreached: 'not reached',
};

function figures(policy: PolicyMutants, paint: Paint): string {
  const counts = countMutants(policy);
  const parts = STATES.filter(state => state === 'killed' || counts[state] > 0).map(state =>
    paint(state === 'survived' ? 'warning' : 'hint', `${counts[state]} ${WORDS[state]}`),
  );
  const wanted = policy.threshold === undefined ? '' : `, ${policy.threshold} % wanted`;
  const score = paint(isBelowScore(policy) ? 'error' : 'strong', `${scoreOf(policy)} %${wanted}`);
  return `${paint('strong', printable(policy.name))}  ${pluralize(policy.mutants.length, 'mutant')}: ${parts.join(', ')}  ${score}`;
}

/** Returns what a mutant is in words: `startsWith` replaced by `contains`. */
export function mutationText({ operator, original, mutated }: ReportedMutant): string {
  if (operator === 'rule removed') return 'without the rule';
  if (operator === 'rules swapped') return 'after the next rule';
  const line = (text: string) => text.replace(/\s+/g, ' ');
  return mutated === '' ? `without \`${line(original)}\`` : `\`${line(mutated)}\` for \`${line(original)}\``;
}

function frameOf(mutant: ReportedMutant, source: SourceText, { paint, width }: Layout): string {
  const head = `${printable(mutant.rule)}: ${paint('warning', printable(`${mutationText(mutant)} ${VERBS[mutant.state]}`))}`;
  return `${head}\n${codeFrame(source, mutant.range, { paint, style: 'warning', width })}`;
}

const VERBS: Readonly<Record<MutantState, string>> = {
  killed: 'is killed',
  survived: 'survives all tests',
  open: 'is undecided',
  equivalent: 'decides all traffic alike',
  unreached: 'is not reached',
};

function tellingText({ test, request }: ReportedMutant, isKnown: boolean, paint: Paint): string {
  if (test === undefined) return `told apart by ${printable(request ?? '')}, which no test can state`;
  if (isKnown) return `told apart by the test \`${printable(test.name)}\`, above`;
  return `${paint('hint', 'a test that would notice:')}\n\n${printableLines(testText(test))}`;
}

function printableLines(text: string): string {
  return text.trimEnd().split('\n').map(printable).join('\n');
}

/** Returns mutants as plain data. */
export function jsonMutants(policies: readonly PolicyMutants[]): readonly unknown[] {
  return policies.map(policy => ({
    policy: policy.name,
    file: policy.source.uri,
    ...(policy.isDisabled && { disabled: true }),
    ...(policy.threshold !== undefined && { threshold: policy.threshold }),
    score: scoreOf(policy),
    counts: countMutants(policy),
    cut: policy.cut,
    mutants: policy.mutants.map(({ range, ...mutant }) => ({
      ...mutant,
      change: mutationText({ range, ...mutant }),
      ...(mutant.test && { testText: testText(mutant.test) }),
      start: place(policy.source, range.start),
      end: place(policy.source, range.end),
    })),
  }));
}

function place(source: SourceText, offset: number) {
  const { line, column } = humanPosition(source, offset);
  return { line, column };
}
