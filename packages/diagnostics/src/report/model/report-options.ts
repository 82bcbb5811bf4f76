import type { Paint } from '../../colour.ts';

/** Options of reporters. */
export interface ReportOptions {
  readonly paint?: Paint;
  /** Maximum width of a code frame in columns; 100 by default. */
  readonly width?: number | undefined;
  /** Adds counts by code, if the format supports them. */
  readonly statistics?: boolean;
  /** Absolute path of the working directory: paths below it are made relative to it. */
  readonly directory?: string;
  /** Version of Tollgate. */
  readonly version?: string;
  /** Base URL of the reference pages; without it, reports have no links. */
  readonly docsUrl?: string;
}
