// What `tollgate test` printed, as VS Code shows it: how tests ended, and what they reach of policies.

import type { ListedTest } from './shared/policy-server.ts';

/** A position as the command reports it, from 0. */
interface Position {
  readonly line: number;
  readonly character: number;
}

interface ReportedDiagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly uri: string;
  readonly range: { readonly from: Position; readonly to: Position };
  readonly related?: readonly {
    readonly uri: string;
    readonly message: string;
    readonly range: { readonly from: Position; readonly to: Position };
  }[];
}

interface ReportedTest {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'left-out';
  readonly mismatches: readonly { readonly message: string; readonly expected?: unknown; readonly found?: unknown }[];
}

/** What `tollgate test --format json` prints, as far as it is shown. */
interface TestReport {
  readonly files: readonly { readonly file: string; readonly results?: readonly ReportedTest[] }[];
  readonly diagnostics: readonly ReportedDiagnostic[];
}

/** Why a test failed. */
export interface TestFailure {
  readonly message: string;
  /** File and start of what is wrong; undefined if only the test as a whole is known. */
  readonly at?: { readonly file: string } & Position;
  readonly expected?: string;
  readonly found?: string;
}

/** How a test ended. */
interface TestOutcome {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly failures: readonly TestFailure[];
}

/** The results of a file of tests. */
export interface FileOutcome {
  readonly tests: readonly TestOutcome[];
  /** Why tests did not run: errors of the file or its policy, or what the command printed. */
  readonly errors: readonly TestFailure[];
}

/** Reads what the command printed about one file. */
export function readOutcome(
  run: { readonly output: string; readonly errors: string },
  listed: readonly ListedTest[],
): FileOutcome {
  const report = parse<TestReport>(run.output);
  const [file] = report?.files ?? [];
  if (!report || !file)
    return { tests: [], errors: [{ message: run.errors.trim() || 'the command printed no report' }] };
  const failed = report.diagnostics.filter(one => one.uri === file.file);
  const tests = (file.results ?? []).map(({ name, status, mismatches }): TestOutcome => {
    const own = listed.find(one => one.name === name);
    const failures = mismatches.map((mismatch): TestFailure => {
      const at = failed.find(one => one.message === mismatch.message && own && isInside(one.range.from, own));
      return {
        message: at ? withRelated(at) : mismatch.message,
        ...(at && { at: { file: at.uri, ...at.range.from } }),
        ...(isPlain(mismatch.expected) && isPlain(mismatch.found)
          ? { expected: JSON.stringify(mismatch.expected), found: JSON.stringify(mismatch.found) }
          : {}),
      };
    });
    return { name, status: status === 'left-out' ? 'skipped' : status, failures };
  });
  if (tests.length > 0) return { tests, errors: [] };
  const errors = report.diagnostics
    .filter(one => one.severity === 'error')
    .map(one => ({ message: one.message, at: { file: one.uri, ...one.range.from } }));
  return { tests, errors: errors.length > 0 ? errors : [{ message: run.errors.trim() || 'no test ran' }] };
}

function parse<Printed>(output: string): Printed | undefined {
  try {
    return JSON.parse(output) as Printed;
  } catch {
    return undefined;
  }
}

function isInside({ line, character }: Position, { range: { start, end } }: ListedTest): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}

function withRelated({ message, related = [] }: ReportedDiagnostic): string {
  const rest = related.map(one => `${one.message}: ${baseName(one.uri)}:${one.range.from.line + 1}`);
  return [message, ...rest].join('\n');
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function isPlain(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A place from 1, as the command reports it. */
interface Place {
  readonly line: number;
  readonly column: number;
}

interface ReportedGoal {
  /** Starts with phase and number of the rule, such as `inbound 2: matches`. */
  readonly id: string;
  readonly group: 'rules' | 'conditions' | 'actions' | 'endings';
  readonly kind: string;
  readonly state: 'reached' | 'open' | 'impossible';
  readonly start: Place;
  readonly end: Place;
  readonly tests: readonly string[];
}

/** What `tollgate test --coverage --format json` prints, as far as it is shown. */
interface CoverageReport {
  readonly coverage?: readonly { readonly file: string; readonly goals: readonly ReportedGoal[] }[];
}

/** A part of a policy: a rule, a condition or an action. */
export interface CoveredPlace {
  /** From 0. */
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  /** Number of tests in which it does something: a rule matches, a condition or an action is shown in any way. */
  readonly tests: number;
  /** Phase and number, if it is the name of a rule. */
  readonly rule: string | undefined;
  /** What can be shown about it, with the number of tests that show it; nothing that is impossible. */
  readonly goals: readonly { readonly label: string; readonly tests: number }[];
}

/** A file with policies, and what tests reach of them. */
export interface FileCoverageData {
  readonly file: string;
  readonly places: readonly CoveredPlace[];
}

/** Goals in the words of a branch that was taken or not. */
const LABELS: Readonly<Record<string, string>> = {
  matches: 'the rule matches',
  'does-not-match': 'the rule does not match',
  fails: 'the expression fails',
  'decides-true': 'true decides',
  'decides-false': 'false decides',
  runs: 'the action does something',
  ends: 'the action ends the policy',
  'lets-pass': 'the action lets traffic pass',
  fills: 'the expression has a value',
  'fill-fails': 'the expression fails',
  ending: 'the policy ends like this',
};

/** Reads the coverage that the command printed, by file: several policies may be in one. */
export function readCoverage(output: string): readonly FileCoverageData[] {
  const { coverage = [] } = parse<CoverageReport>(output) ?? {};
  const files = Map.groupBy(coverage, one => one.file);
  return [...files].map(([file, policies]) => ({ file, places: placesOf(policies.flatMap(one => one.goals)) }));
}

function placesOf(goals: readonly ReportedGoal[]): readonly CoveredPlace[] {
  // How a policy ends has the place of an action or a rule, which says it already.
  const shown = goals.filter(({ group, state }) => group !== 'endings' && state !== 'impossible');
  const places = Map.groupBy(shown, ({ start, end }) => `${start.line}:${start.column}-${end.line}:${end.column}`);
  return [...places.values()].map(same => {
    const [{ id, start, end, group }] = same as [ReportedGoal];
    const telling = group === 'rules' ? same.filter(one => one.kind === 'matches') : same;
    return {
      start: { line: start.line - 1, character: start.column - 1 },
      end: { line: end.line - 1, character: end.column - 1 },
      tests: new Set(telling.flatMap(one => one.tests)).size,
      rule: group === 'rules' ? id.split(':')[0] : undefined,
      goals: same.map(({ kind, tests }) => ({ label: LABELS[kind] ?? kind, tests: tests.length })),
    };
  });
}
