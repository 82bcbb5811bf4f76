import { CHECK } from './check.ts';
import type { CommandDefinition } from './command-definition.ts';
import { COMPLETION } from './completion.ts';
import { EVENTS } from './events.ts';
import { EXPLAIN } from './explain.ts';
import { FMT } from './fmt.ts';
import { KEYS } from './keys.ts';
import { LINT } from './lint.ts';
import { MIGRATE } from './migrate.ts';
import { REPLAY } from './replay.ts';
import { SERVE } from './serve.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandDefinition[] = [
  CHECK,
  LINT,
  FMT,
  REPLAY,
  MIGRATE,
  EXPLAIN,
  SERVE,
  KEYS,
  EVENTS,
  COMPLETION,
];
