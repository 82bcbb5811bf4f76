// `tollgate test --write-missing`: tests for what no test reaches, at the end of the files with the other tests of each policy.

import { ExternalError, printable } from '@tollgate/diagnostics';
import { addTests, type TestToWrite } from '@tollgate/policy';
import { pluralize } from '@tollgate/reports';
import type { CoverageOfRun } from '@tollgate/reports/coverage';
import { readSource } from '../input/read-source.ts';
import type { Failure } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';

/** What was written, and what was not. */
export interface WrittenMissing {
  readonly files: readonly { readonly file: string; readonly tests: readonly string[] }[];
  readonly undecided: readonly { readonly policy: string; readonly goal: string; readonly reason: string }[];
  readonly failures: readonly Failure[];
}

/** Writes the tests that the policies of a run lack. A file that cannot be changed does not stop the others. */
export async function writeMissing(coverage: CoverageOfRun, terminal: Terminal): Promise<WrittenMissing> {
  const byFile = new Map<string, TestToWrite[]>();
  const undecided: WrittenMissing['undecided'][number][] = [];
  for (const policy of coverage.policies()) {
    const { tests, open } = policy.missing();
    undecided.push(...open.map(({ goal, reason }) => ({ policy: policy.name, goal: policy.idOf(goal), reason })));
    if (tests.length === 0) continue;
    const known = byFile.get(policy.testFile) ?? [];
    byFile.set(policy.testFile, [...known, ...tests]);
  }
  const files: WrittenMissing['files'][number][] = [];
  const failures: Failure[] = [];
  for (const [file, tests] of byFile) {
    const failure = await addToFile(file, tests, terminal);
    if (failure === undefined) files.push({ file, tests: tests.map(({ name }) => name) });
    else failures.push(failure);
  }
  return { files, undecided, failures };
}

async function addToFile(
  file: string,
  tests: readonly TestToWrite[],
  terminal: Terminal,
): Promise<Failure | undefined> {
  const source = await readSource(file, terminal);
  if (source instanceof Error) return source;
  const text = addTests(source, tests);
  if (text !== undefined) return replaceFile(file, text);
  const message = `\`${file}\`: no test can be added, because its tests are not a list of their own`;
  return new ExternalError('EINVAL', message);
}

/** Renders what was written, for terminals. */
export function missingText({ files, undecided }: WrittenMissing): string {
  const written = files.map(({ file, tests }) =>
    [
      `${printable(file)}: ${pluralize(tests.length, 'test')} written`,
      ...tests.map(name => `  ${printable(name)}`),
    ].join('\n'),
  );
  const open = [...Map.groupBy(undecided, ({ policy }) => policy)].map(([policy, goals]) =>
    [
      `${printable(policy)}: no test found for ${pluralize(goals.length, 'goal')}`,
      ...goals.map(({ goal, reason }) => `  ${printable(`${goal}: ${reason}`)}`),
    ].join('\n'),
  );
  const blocks = [...written, ...open];
  return blocks.length === 0 ? 'no test is missing\n' : `${blocks.join('\n\n')}\n`;
}
