import type { Fault } from '@tollgate/edge-api';
import type { Members } from '../../api/members.ts';
import type { RecordReader } from '../../store/port/store.ts';
import type { RuleSettings } from '../records/context.ts';

/** A record change that rules check. */
interface Proposal {
  readonly id: string;
  readonly parentId: string | null;
  /** The current body; undefined for a new record. */
  readonly before: Members | undefined;
  readonly after: Members;
  readonly reader: RecordReader;
  readonly settings: RuleSettings;
}

/** Checks a change against other records and returns its faults. */
export type Rule = (proposal: Proposal) => readonly Fault[] | Promise<readonly Fault[]>;

/** The result of a rule without faults. */
export const NO_FAULTS: readonly Fault[] = [];
