import type { Fault } from '@tollgate/edge-api';
import type { RecordReader } from '../../store/store.ts';
import type { RuleSettings } from '../context.ts';
import type { Members } from '../members.ts';

/** A record as it is about to be. */
export interface Proposal {
  readonly id: string;
  readonly parentId: string | null;
  /** As it is; undefined for a new one. */
  readonly before: Members | undefined;
  readonly after: Members;
  readonly reader: RecordReader;
  readonly settings: RuleSettings;
}

/** What a record must be among others: the faults, if any. */
export type Rule = (proposal: Proposal) => readonly Fault[] | Promise<readonly Fault[]>;

/** Nothing is wrong. */
export const NO_FAULTS: readonly Fault[] = [];
