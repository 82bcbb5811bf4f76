// Which policy tests passed, for terminals.

import { type Paint, printable, type Report, type Style, textReport } from '@tollgate/diagnostics';
import type { TestResult, TestRun, TestStatus } from '@tollgate/simulator';
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
