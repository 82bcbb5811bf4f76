import type { InspectedFile } from '@tollgate/traffic/columns';

/** A file to load. */
export interface RecordingFile extends InspectedFile {
  /** As the user named it. */
  readonly file: string;
}
