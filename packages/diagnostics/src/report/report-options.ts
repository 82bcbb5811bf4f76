import type { Paint } from '../colour.ts';

/** How a report looks, and what it says of its surroundings. */
export interface ReportOptions {
  readonly paint?: Paint;
  /** Columns of the widest line of a code frame; 100 when absent. */
  readonly width?: number | undefined;
  /** Adds counts by code, where the format has a place for them. */
  readonly statistics?: boolean;
  /** Absolute path of the working directory: paths below it are made relative to it. */
  readonly directory?: string;
  /** Of Tollgate. */
  readonly version?: string;
  /** Where the reference pages are published; without it, reports link to none. */
  readonly docsUrl?: string;
}
