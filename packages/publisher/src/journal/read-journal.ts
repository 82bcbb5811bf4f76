import { isObject, type Json } from '../model/json.ts';
import type { JournalEntry } from './entry.ts';

/** The entries of a journal, or the line that is none. */
export type JournalReadResult =
  | { readonly ok: true; readonly entries: readonly JournalEntry[]; readonly isCut: boolean }
  | { readonly ok: false; readonly line: number };

/** The members that each kind of entry has at least. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  begin: ['run', 'time', 'command', 'environment', 'url', 'who', 'keyId'],
  intent: ['run', 'target', 'ref', 'module', 'before', 'after', 'beforeFingerprint', 'afterFingerprint'],
  outcome: ['run', 'target', 'module', 'holds'],
  end: ['run', 'outcome'],
  repair: [],
};

/** Reads a journal. A crash may cut off the last line, which the next run marks with a `repair` entry; any other unreadable line is an error. */
export function readJournal(text: string): JournalReadResult {
  const lines = text.split('\n');
  const last = lines.pop();
  const entries: JournalEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const entry = entryIn(line);
    if (entry !== undefined) entries.push(entry);
    else if (entryIn(lines[index + 1] ?? '')?.kind !== 'repair') return { ok: false, line: index + 1 };
  }
  return { ok: true, entries, isCut: last !== '' };
}

function entryIn(line: string): JournalEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const members = Object.hasOwn(MEMBERS, String(value.kind)) ? MEMBERS[String(value.kind)] : undefined;
  return members?.every(name => name in value) ? (value as Json as JournalEntry & Json) : undefined;
}
