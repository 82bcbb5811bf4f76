import type { ListedTest } from './policy-server.ts';

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
  const report = parse(run.output);
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

function parse(output: string): TestReport | undefined {
  try {
    return JSON.parse(output) as TestReport;
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
