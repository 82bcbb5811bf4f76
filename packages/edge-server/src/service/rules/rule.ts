import type { Fault } from '@tollgate/edge-api';
import type { Members } from '../../api/members.ts';
import type { RecordReader } from '../../store/port/store.ts';
import type { RuleSettings } from '../records/context.ts';

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
