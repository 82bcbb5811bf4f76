import { createInterface } from 'node:readline/promises';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';

/**
 * Asks whether to go on; Ctrl-C and Ctrl-D mean no. Throws a `UsageError` if there is nobody to ask: silence is not consent. `instead` is
 * what answers in advance.
 */
export async function confirm(question: string, instead: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive || !process.stdin.isTTY) {
    throw new UsageError(`nothing was written: there is no terminal to confirm; pass ${instead}`);
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} Only \`yes\` is accepted: `);
    return answer.trim() === 'yes';
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    // The answer that was begun stays on its line.
    terminal.writeError('\n');
    return false;
  } finally {
    reader.close();
  }
}
