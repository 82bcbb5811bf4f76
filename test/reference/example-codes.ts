import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { type CodeExample, ExternalError, type Severity } from '@tollgate/diagnostics';
import { exampleFindings, fullText } from '@tollgate/reports';
import { nothingRead } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';

/** The findings of an example. */
interface Found {
  readonly code: string;
  /** Only diagnostics have a severity. */
  readonly severity?: Severity;
}

/** Returns the findings of an example, in the order of the report. */
export async function findingsOf(example: CodeExample): Promise<readonly Found[]> {
  const text = fullText(example);
  if (example.kind === 'traffic') return trafficCodes(text);
  return example.kind === 'command' ? commandCodes(text) : exampleFindings(example);
}

async function trafficCodes(text: string): Promise<readonly Found[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  const file = join(directory, 'traffic');
  writeFileSync(file, text);
  const found: Found[] = [];
  try {
    let read = 0;
    for await (const { exchanges, skipped } of readTraffic(file)) {
      read += exchanges.length;
      found.push(...skipped.map(({ reason }) => ({ code: reason })));
    }
    // As every command that reads traffic does.
    if (read === 0) throw nothingRead({ files: [file], skipped: found.length, example: undefined });
    return found;
  } catch (error) {
    if (error instanceof ExternalError) return [...found, { code: error.code }];
    throw error;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs the command from the root of the repository, and returns the codes in its JSON output. */
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
