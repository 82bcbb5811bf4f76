import { recordKey } from '../model/record.ts';
import type { BeginEntry, IntentEntry, JournalEntry, OutcomeEntry, RunOutcome } from './entry.ts';

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
