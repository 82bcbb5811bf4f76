import { SourceText } from '@tollgate/diagnostics';
import type { FileResults, FileWork } from './concurrency.ts';
import type { Terminal } from './terminal.ts';

/**
 * Works on files, on several threads if the option asks for them. Returns the results in the order of the files; what threads write appears
 * in that order, too. Without the option, nothing that runs threads is loaded.
 */
export async function inThreads<Input, Results extends FileResults>(
  work: FileWork<Input, Results>,
  terminal: Terminal,
): Promise<readonly Results[]> {
  const { concurrency = 'off' } = work.options;
  if (concurrency === 'off') return [await work.here()];
  const { FileThreads, threadsFor } = await import('./file-threads.ts');
  const threads = threadsFor(concurrency, work.inputs.length);
  return threads === 1 ? [await work.here()] : new FileThreads(work, terminal).run(threads);
}

/** Returns a source that threads have exchanged. */
export function revivedSource({ uri, text }: Pick<SourceText, 'uri' | 'text'>): SourceText {
  return new SourceText(uri, text);
}
