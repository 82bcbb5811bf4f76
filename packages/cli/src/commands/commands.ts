import { CHECK } from './check.ts';
import type { CommandDefinition } from './command-definition.ts';
import { COMPLETION } from './completion.ts';
import { EVENTS } from './events.ts';
import { EXPLAIN } from './explain.ts';
import { FMT } from './fmt.ts';
import { KEYS } from './keys.ts';
import { LINT } from './lint.ts';
import { MIGRATE } from './migrate.ts';
import { NEW_RULE } from './new-rule.ts';
import { REPLAY } from './replay.ts';
import { SERVE } from './serve.ts';
import { STORE } from './store.ts';
import { TEST } from './test.ts';
import { TEST_RULES } from './test-rules.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandDefinition[] = [
  CHECK,
  LINT,
  FMT,
  REPLAY,
  TEST,
  MIGRATE,
  EXPLAIN,
  NEW_RULE,
  TEST_RULES,
  SERVE,
  KEYS,
  EVENTS,
  STORE,
  COMPLETION,
];
