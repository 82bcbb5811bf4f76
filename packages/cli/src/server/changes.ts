import { ExternalError, jsonText, PLAIN, printable } from '@tollgate/diagnostics';
import { changeJson, type RecordedChange, type Store } from '@tollgate/edge-server';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { tableText } from '../text/table.ts';
import { parseSince } from './expiry.ts';
import { onDatabase } from './open-database.ts';
import type { ServerOptions } from './server-options.ts';

/** The options of `tollgate store changes`, without those for the database. */
export interface ChangesOptions {
  readonly format: 'text' | 'jsonl';
  readonly limit: string;
  readonly since?: string;
}

/** How many changes are read at a time. */
const PAGE = 500;

/** Lists the record of changes, newest first: as a table, or as JSON lines with the values before and after. */
export async function listChanges(
  { format, limit, since, ...database }: ChangesOptions & ServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!/^[1-9]\d{0,14}$/.test(limit)) {
    throw new ExternalError('usage/number', `\`--limit\` expects a positive integer, found \`${limit}\``);
  }
  const from = parseSince(since, Date.now());
  await onDatabase(database, terminal, async store => {
    const rows: (readonly string[])[] = [];
    for await (const change of changesOf(store, from, Number(limit))) {
      if (format === 'jsonl') terminal.write(`${jsonText(changeJson(change))}\n`);
      else rows.push(rowOf(change));
    }
    if (format === 'text') terminal.write(rows.length === 0 ? 'no changes\n' : `${table(rows)}\n`);
  });
  return EXIT.clean;
}

async function* changesOf(
  { changes }: Store,
  since: number | undefined,
  limit: number,
): AsyncGenerator<RecordedChange> {
  let before: number | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await changes.page({ before, since, limit: size });
    yield* page;
    if (page.length < size) return;
    before = page.at(-1)!.seq;
    left -= size;
  }
}

function rowOf({ at, operation, resourceId, keyId, address, detail }: RecordedChange): readonly string[] {
  const { before, after } = JSON.parse(detail) as Readonly<Record<'before' | 'after', object | null>>;
  const fields = before && after ? Object.keys(after).join(', ') : '';
  return [
    `${new Date(at).toISOString().slice(0, 19)}Z`,
    operation,
    resourceId,
    keyId ?? 'command line',
    address ?? '',
    fields,
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  return tableText(
    rows.map(row => row.map(text => ({ text: printable(text) }))),
    [],
    PLAIN,
  );
}
