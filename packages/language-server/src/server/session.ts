import type { DiagnosticsLoop, LoopParts } from './diagnostics-loop.ts';

/** What the parts of a running server share. */
export interface Session extends LoopParts {
  readonly loop: DiagnosticsLoop;
}
