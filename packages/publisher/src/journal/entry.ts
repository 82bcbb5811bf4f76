import type { Canonical } from '../model/canonical.ts';
import type { ModuleName, RecordRef } from '../model/record.ts';

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
