import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { exampleFindings, fullText } from '@tollgate/cli/codes';
import { type CodeExample, ExternalError, type Severity } from '@tollgate/diagnostics';
import { readTraffic } from '@tollgate/traffic';

/** What an example gives. */
export interface Found {
  readonly code: string;
  /** Only diagnostics have one. */
  readonly severity?: Severity;
}

/** What an example gives, in the order in which it is found. */
export async function findingsOf(example: CodeExample): Promise<readonly Found[]> {
  const text = fullText(example);
  if (example.kind === 'traffic') return trafficCodes(text);
  return example.kind === 'command' ? commandCodes(text) : exampleFindings(example);
}

async function trafficCodes(text: string): Promise<readonly Found[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  const file = join(directory, 'traffic');
  writeFileSync(file, text);
  try {
    const found: Found[] = [];
    for await (const { skipped } of readTraffic(file)) found.push(...skipped.map(({ reason }) => ({ code: reason })));
    return found;
  } catch (error) {
    if (error instanceof ExternalError) return [{ code: error.code }];
    throw error;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs the command from the root of the repository, and takes the codes out of its JSON. */
async function commandCodes(text: string): Promise<readonly Found[]> {
  const [, command = '', ...args] = text.split(' ');
  const { output } = await runCaptured([command, '--format', 'json', ...args]);
  const { diagnostics = [], failures = [], files = [] } = JSON.parse(output) as CommandReport;
  const unread = files.flatMap(file => (typeof file === 'object' && file.failure ? [file.failure] : []));
  return [...diagnostics, ...failures, ...unread];
}

interface CommandReport {
  readonly diagnostics?: readonly Found[];
  readonly failures?: readonly Found[];
  readonly files?: readonly (string | { readonly failure?: Found })[];
}
