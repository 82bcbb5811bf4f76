import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';

/** A file of counterexamples that runs have found, one as JSON per line, with the name of the test that found it. */
interface KeptCases {
  readonly file: string;
  /** Whether to add what fails. In CI nothing is added: the counterexample is in the log. */
  readonly isRecording: boolean;
}

interface KeptCase {
  readonly test: string;
  readonly counterexample: unknown;
}

/** The cases in a file, recorded unless this is CI. */
export function keptCases(file: string): KeptCases {
  return { file, isRecording: (process.env.CI ?? '') === '' };
}

/** Asserts a property, first for all counterexamples that were kept for this test. A new one is added to the file after it was shrunk. */
export async function assertKept<T extends unknown[]>(
  { file, isRecording }: KeptCases,
  test: string,
  property: fc.IAsyncPropertyWithHooks<T>,
  numRuns: number,
): Promise<void> {
  const examples = casesOf(file, test) as T[];
  const result = await fc.check(property, { numRuns: numRuns + examples.length, examples });
  if (!result.failed) return;
  const { counterexample } = result;
  const line = counterexample === null ? undefined : JSON.stringify({ test, counterexample } satisfies KeptCase);
  const isNew =
    line !== undefined && !examples.some(example => JSON.stringify({ test, counterexample: example }) === line);
  if (isRecording && isNew) appendFileSync(file, `${line}\n`);
  throw result.errorInstance instanceof Error
    ? new Error(fc.defaultReportMessage(result), { cause: result.errorInstance })
    : new Error(fc.defaultReportMessage(result));
}

function casesOf(file: string, test: string): readonly unknown[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const cases = lines.map(line => JSON.parse(line) as KeptCase);
  return cases.filter(kept => kept.test === test).map(({ counterexample }) => counterexample);
}
