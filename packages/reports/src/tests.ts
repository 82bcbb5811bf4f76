// Which policy tests passed, for terminals.

import type { Profile } from '@tollgate/catalog';
import {
  type Diagnostic,
  type Paint,
  printable,
  type Report,
  type ReportedCase,
  type Style,
  textReport,
} from '@tollgate/diagnostics';
import {
  type DocumentNode,
  type EmbeddedPolicy,
  type Policy,
  type PolicyTest,
  type PolicyTests,
  rangeAt,
  rangeInFile,
} from '@tollgate/policy';
import type { Mismatch, TestResult, TestRun, TestStatus } from '@tollgate/simulator';
import { formatTally } from './text/figures.ts';
import type { Layout } from './text/layout.ts';

/** The tests of a file, which all report formats render. */
export interface ReportedTests {
  readonly path: string;
  /** Undefined if the tests or their policy have errors. */
  readonly tested: { readonly run: TestRun } | undefined;
  /** Of failed tests: the rules that decided, as text. */
  readonly traces?: readonly { readonly name: string; readonly text: string }[];
}

const MARKS: Readonly<Record<TestStatus, readonly [mark: string, style: Style]>> = {
  passed: ['✓', 'hint'],
  failed: ['✗', 'error'],
  skipped: ['–', 'warning'],
  'left-out': ['·', 'frame'],
};

/** Returns a report for people: each test with its result, then the failures with their positions and the rules that decided, then the counts. */
export function textTests(files: readonly ReportedTests[], report: Report, layout: Layout): string {
  const { paint } = layout;
  const lists = files.flatMap(({ path, tested }) =>
    tested
      ? [[paint('strong', printable(path)), ...tested.run.results.map(result => resultLine(result, paint))].join('\n')]
      : [],
  );
  const findings = report.diagnostics.length === 0 ? [] : [textReport(report, layout).trimEnd()];
  const traces = files.flatMap(file =>
    (file.traces ?? []).map(
      ({ name, text }) => `${paint('error', '✗')} ${paint('strong', printable(name))}\n\n${indented(text)}`,
    ),
  );
  return `${[...lists, ...findings, ...traces, paint('strong', formatTally(countTests(files), 'test') ?? 'no tests ran')].join('\n\n')}\n`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function resultLine({ name, status, reason }: TestResult, paint: Paint): string {
  const [mark, style] = MARKS[status];
  const why = reason === undefined ? '' : paint('frame', ` (skipped: ${printable(reason)})`);
  return `  ${paint(style, mark)} ${printable(name)}${why}`;
}

/** Adds up the counts of all files. */
export function countTests(files: readonly ReportedTests[]): Readonly<Record<TestStatus, number>> {
  const sum: Record<TestStatus, number> = { passed: 0, failed: 0, skipped: 0, 'left-out': 0 };
  for (const { tested } of files) {
    for (const { status } of tested?.run.results ?? []) sum[status]++;
  }
  return sum;
}

/** Returns the tests that ran or were skipped, with the failures of each, and all findings. */
export function testCases(
  run: TestRun,
  context: TestContext,
): { readonly cases: readonly ReportedCase[]; readonly diagnostics: readonly Diagnostic[] } {
  const cases = run.results.map((result, index) => caseOf(result, index, context));
  return {
    cases,
    diagnostics: [...onlyWarning(run, context.tests, context), ...cases.flatMap(one => one.diagnostics)],
  };
}

function caseOf({ name, status, reason, mismatches }: TestResult, index: number, context: TestContext): ReportedCase {
  const test = context.tests.tests[index]!;
  const range = rangeAt(context.root, { path: [...(test.path ?? ['tests', index]), 'name'] });
  const why = status === 'left-out' ? leftOutBecause(context) : reason;
  return {
    uri: context.uri,
    name,
    range,
    status: status === 'left-out' ? 'skipped' : status,
    ...(why !== undefined && { reason: why }),
    diagnostics: mismatches.map(mismatch => mismatchDiagnostic(mismatch, test, context)),
  };
}

function leftOutBecause({ name, tags }: TestContext): string {
  if (name) return '`--name` selects other tests';
  return tags ? '`--tag` selects other tests' : 'other tests set `only`';
}

/** The tests of a file that ran, and what they ran on. */
export interface TestContext {
  /** Of the file of tests. */
  readonly uri: string;
  readonly root: DocumentNode;
  readonly policy: Policy;
  readonly embedded: EmbeddedPolicy;
  readonly profile: Profile;
  /** What selected the tests, if not all ran. */
  readonly name: RegExp | undefined;
  readonly tags: readonly string[] | undefined;
  readonly tests: PolicyTests;
}

const CODES: Readonly<Record<Mismatch['kind'], string>> = {
  differs: 'test/failed',
  undetermined: 'test/undetermined',
  'unknown-rule': 'test/unknown-rule',
  invalid: 'test/invalid',
};

function mismatchDiagnostic(
  { kind, path, message, needs, rule }: Mismatch,
  { name, table, path: place }: PolicyTest,
  context: TestContext,
): Diagnostic {
  const { uri, root, policy, embedded, profile } = context;
  const decided = rule === undefined ? undefined : profile.phases.flatMap(phase => policy.rules[phase])[rule];
  const range = rangeAt(root, { path, ...((kind === 'unknown-rule' || kind === 'invalid') && { ofKey: true }) });
  return {
    code: CODES[kind],
    severity: 'error',
    // The combinations of a table are at one place.
    message: table === undefined || place?.length !== 2 ? message : `${name.slice(table.length + 2)}: ${message}`,
    uri,
    range,
    args: { needs },
    ...(decided && {
      related: [
        {
          uri: embedded.file.uri,
          range: rangeInFile(embedded, decided.name?.range ?? decided.range),
          message: path.includes('rules') ? 'this is the rule' : 'this rule decided',
        },
      ],
    }),
  };
}

function onlyWarning(
  { isNarrowed, counts }: TestRun,
  { tests }: PolicyTests,
  { uri, root, name, tags }: TestContext,
): readonly Diagnostic[] {
  if (!isNarrowed || name || tags) return [];
  const index = tests.findIndex(test => test.only);
  const range = rangeAt(root, { path: [...(tests[index]!.path ?? ['tests', index]), 'only'] });
  const count = counts['left-out'];
  const message = `${count} ${count === 1 ? 'test' : 'tests'} skipped because other tests set \`only\``;
  return [{ code: 'test/focused', severity: 'warning', message, uri, range, args: { count } }];
}
