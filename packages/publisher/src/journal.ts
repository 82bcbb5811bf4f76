// The journal of this machine: its entries, reading it, and the runs that it tells of.

import { isObject, type Json } from './json.ts';
import { type Canonical, type ModuleName, type RecordRef, recordKey } from './module.ts';

/** A line of the journal. Modules are sealed: they contain keyed hashes instead of secrets. */
export type JournalEntry = BeginEntry | IntentEntry | OutcomeEntry | EndEntry | RepairEntry;

/** A run begins. */
export interface BeginEntry {
  readonly kind: 'begin';
  readonly run: string;
  /** In ISO 8601. */
  readonly time: string;
  readonly command: 'apply' | 'rollback';
  /** The number of the run that a rollback undoes, if it is in this journal. */
  readonly undoes?: number;
  /** The same run, which may be in the journal of another machine. */
  readonly undoesRun?: string;
  /** Greater than that of each run that was known before, on any machine. */
  readonly sequence?: number;
  /** Identifies the project file, wherever it is checked out. */
  readonly project?: string;
  readonly environment: string;
  readonly url: string;
  readonly who: string;
  readonly commit?: string;
  /** The plan that was applied. */
  readonly plan?: string;
  readonly keyId: string;
}

/** A module is about to be written. Without an outcome, it is old or new. */
export interface IntentEntry {
  readonly kind: 'intent';
  readonly run: string;
  readonly target: string;
  readonly ref: RecordRef;
  readonly module: ModuleName;
  readonly before: Canonical;
  readonly after: Canonical;
  readonly beforeFingerprint: string;
  readonly afterFingerprint: string;
  /** True if the write restores what the run itself has replaced. */
  readonly isRestore?: true;
}

/** What a module contains after an intent. */
export interface OutcomeEntry {
  readonly kind: 'outcome';
  readonly run: string;
  readonly target: string;
  readonly module: ModuleName;
  /** `foreign`: neither. */
  readonly holds: 'before' | 'after' | 'foreign';
}

/** A run ends. */
export interface EndEntry {
  readonly kind: 'end';
  readonly run: string;
  readonly outcome: RunOutcome;
}

/** How a run ended; `open` if it did not. */
export type RunOutcome = 'applied' | 'partly applied' | 'failed' | 'interrupted';

/** Follows a line that a crash has cut off. */
interface RepairEntry {
  readonly kind: 'repair';
}

/** Appends an entry. Resolves when it is on disk. */
export type JournalWriter = (entry: JournalEntry) => Promise<void>;

/** A run in the journal. */
export interface Run {
  /** One-based, in the order of the journal. */
  readonly number: number;
  readonly begin: BeginEntry;
  /** Undefined if it was killed. */
  readonly outcome: RunOutcome | undefined;
  /** What it wrote, in order. */
  readonly modules: readonly RunModule[];
}

/** A module that a run has written or tried to. */
export interface RunModule {
  readonly intent: IntentEntry;
  /** What the module contained at the end of the run; undefined if that is not known. */
  readonly holds: OutcomeEntry['holds'] | undefined;
}

/** Returns the runs of a journal, oldest first. */
export function runsIn(entries: readonly JournalEntry[]): readonly Run[] {
  const begins = entries.filter(entry => entry.kind === 'begin');
  const byRun = Map.groupBy(
    entries.filter(entry => entry.kind !== 'repair'),
    ({ run }) => run,
  );
  return begins.map((begin, index) => {
    const own = byRun.get(begin.run) ?? [];
    const outcome = own.find(entry => entry.kind === 'end')?.outcome;
    return { number: index + 1, begin, outcome, modules: modulesIn(own) };
  });
}

/** A restore is another intent for the same module: outcomes refer to the first one, whichever way the last write went. */
function modulesIn(entries: readonly JournalEntry[]): readonly RunModule[] {
  const modules = new Map<string, { intent: IntentEntry; holds: RunModule['holds'] }>();
  for (const entry of entries) {
    if (entry.kind !== 'intent' && entry.kind !== 'outcome') continue;
    const key = `${entry.target} ${entry.module}`;
    const known = modules.get(key);
    if (entry.kind === 'intent') {
      modules.set(key, { intent: known?.intent ?? entry, holds: undefined });
      continue;
    }
    if (known) known.holds = entry.holds;
  }
  return [...modules.values()];
}

/** Returns the intents of an environment whose outcome is not known, the newest of each module. */
export function openIntents(runs: readonly Run[], environment: string): readonly IntentEntry[] {
  const open = new Map<string, IntentEntry>();
  for (const { begin, modules } of runs) {
    if (begin.environment !== environment) continue;
    for (const { intent, holds } of modules) {
      // By record: targets may be renamed.
      const key = `${recordKey(intent.ref)} ${intent.module}`;
      if (holds === undefined) open.set(key, intent);
      else open.delete(key);
    }
  }
  return [...open.values()];
}

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
