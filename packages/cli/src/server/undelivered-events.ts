import { ExternalError, jsonText, PLAIN } from '@tollgate/diagnostics';
import type { DeadLetter } from '@tollgate/edge-server';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { pluralize } from '../text/format-count.ts';
import { tableText } from '../text/table.ts';
import { onDatabase } from './open-database.ts';
import type { ServerOptions } from './server-options.ts';

/** The options of `tollgate events dead`, without those for the database. */
export interface DeadEventsOptions {
  readonly format: 'text' | 'json';
  readonly limit: string;
}

/** Lists the undelivered events. */
export async function listDeadEvents(
  { format, limit, ...database }: DeadEventsOptions & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const count = wholeNumber(limit, '`--limit`');
  const letters = await onDatabase(database, terminal, store => store.outbox.deadLetters(count));
  terminal.write(format === 'json' ? `${jsonText(letters, 2)}\n` : deadLetterTable(letters));
  return EXIT.clean;
}

function deadLetterTable(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'no undelivered events\n';
  const rows = letters.map(letter => [
    String(letter.seq),
    letter.eventType,
    letter.resourceId,
    `to ${letter.destinationId}`,
    `given up at ${new Date(letter.deadAt).toISOString().slice(0, 19)}Z after ${pluralize(letter.attempts, 'attempt')}`,
    letter.lastError,
  ]);
  return `${tableText(
    rows.map(row => row.map(text => ({ text }))),
    ['right'],
    PLAIN,
  )}\n`;
}

/** Queues undelivered events for delivery. A running server sends them within a second. */
export async function requeueDeadEvents(
  number: string | undefined,
  database: ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const seq = number === undefined ? undefined : wholeNumber(number, 'the number of an event');
  const count = await onDatabase(database, terminal, store => store.outbox.requeue(Date.now(), seq));
  if (count === 0 && seq !== undefined) {
    printMessage(terminal, `no undelivered event with the number ${seq}`);
    return EXIT.findings;
  }
  terminal.write(`${pluralize(count, 'event')} queued for delivery\n`);
  return EXIT.clean;
}

function wholeNumber(text: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new ExternalError('usage/number', `${what} expects a positive integer, found \`${text}\``);
}
