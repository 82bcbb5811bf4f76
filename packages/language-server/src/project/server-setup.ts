import type { Host } from './project.ts';

/** What the server needs to start. */
export interface ServerSetup {
  readonly version: string;
  /** Whether the host runs the commands of lenses. */
  readonly runsCommands: boolean;
  /** Loads the access to files and settings, after the client has been told what the server offers. */
  readonly loadHost: () => Promise<Host>;
}
