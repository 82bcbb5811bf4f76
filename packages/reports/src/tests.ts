import { type Paint, printable, type Report, type Style, textReport } from '@tollgate/diagnostics';
import type { TestResult, TestRun, TestStatus } from '@tollgate/simulator';
import { formatCount, pluralize } from './text/figures.ts';

/** The tests of a file, which all report formats render. */
export interface ReportedTests {
  readonly path: string;
  /** Undefined if the tests or their policy have errors. */
  readonly tested: { readonly run: TestRun } | undefined;
}

const MARKS: Readonly<Record<TestStatus, readonly [mark: string, style: Style]>> = {
  passed: ['✓', 'hint'],
  failed: ['✗', 'error'],
  skipped: ['–', 'warning'],
  'left-out': ['·', 'frame'],
};

interface ReportStyle {
  readonly paint: Paint;
  readonly width: number | undefined;
}

/** Returns a report for people: each test with its result, then the failures with their positions, then the counts. */
export function testReport(files: readonly ReportedTests[], report: Report, look: ReportStyle): string {
  const { paint } = look;
  const lists = files.flatMap(({ path, tested }) =>
    tested
      ? [[paint('strong', printable(path)), ...tested.run.results.map(result => resultLine(result, paint))].join('\n')]
      : [],
  );
  const findings = report.diagnostics.length === 0 ? [] : [textReport(report, look).trimEnd()];
  return `${[...lists, ...findings, paint('strong', sumText(sumOf(files)))].join('\n\n')}\n`;
}

function resultLine({ name, status, reason }: TestResult, paint: Paint): string {
  const [mark, style] = MARKS[status];
  const why = reason === undefined ? '' : paint('frame', ` (skipped: ${printable(reason)})`);
  return `  ${paint(style, mark)} ${printable(name)}${why}`;
}

/** Adds up the counts of all files. */
export function sumOf(files: readonly ReportedTests[]): Readonly<Record<TestStatus, number>> {
  const sum: Record<TestStatus, number> = { passed: 0, failed: 0, skipped: 0, 'left-out': 0 };
  for (const { tested } of files) {
    for (const { status } of tested?.run.results ?? []) sum[status]++;
  }
  return sum;
}

/** `5 tests: 3 passed, 1 failed, 1 skipped`. */
function sumText(sum: Readonly<Record<TestStatus, number>>): string {
  const all = Object.values(sum).reduce((a, b) => a + b, 0);
  const parts = Object.entries(sum).filter(([, count]) => count > 0);
  const texts = parts.map(([status, count]) => `${formatCount(count)} ${status.replace('-', ' ')}`);
  return all === 0 ? 'no tests ran' : `${pluralize(all, 'test')}: ${texts.join(', ')}`;
}
