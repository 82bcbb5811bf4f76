import type { CommandDefinition } from './definition/command-definition.ts';

/** A command whose definition is loaded on demand. */
interface CommandEntry {
  readonly name: string;
  readonly load: () => Promise<CommandDefinition>;
  /** Needs the definitions of all other commands as well. */
  readonly needsAll?: true;
}

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'init', load: async () => (await import('./project/init.ts')).INIT },
  { name: 'new', load: async () => (await import('./project/new.ts')).NEW },
  { name: 'check', load: async () => (await import('./check.ts')).CHECK },
  { name: 'lint', load: async () => (await import('./lint.ts')).LINT },
  { name: 'fmt', load: async () => (await import('./fmt.ts')).FMT },
  { name: 'replay', load: async () => (await import('./traffic/replay.ts')).REPLAY },
  { name: 'impact', load: async () => (await import('./traffic/impact.ts')).IMPACT },
  { name: 'record', load: async () => (await import('./traffic/record.ts')).RECORD },
  { name: 'snapshot', load: async () => (await import('./traffic/snapshot.ts')).SNAPSHOT },
  { name: 'trace', load: async () => (await import('./traffic/trace.ts')).TRACE },
  { name: 'diff', load: async () => (await import('./proofs/diff.ts')).DIFF },
  { name: 'prove', load: async () => (await import('./proofs/prove.ts')).PROVE },
  { name: 'bypass', load: async () => (await import('./proofs/bypass.ts')).BYPASS },
  { name: 'test', load: async () => (await import('./test.ts')).TEST },
  { name: 'compile', load: async () => (await import('./compile.ts')).COMPILE },
  { name: 'migrate', load: async () => (await import('./migrate.ts')).MIGRATE },
  { name: 'explain', load: async () => (await import('./explain.ts')).EXPLAIN },
  { name: 'test-rules', load: async () => (await import('./test-rules.ts')).TEST_RULES },
  { name: 'lsp', load: async () => (await import('./lsp.ts')).LSP },
  { name: 'doctor', load: async () => (await import('./project/doctor.ts')).DOCTOR },
  { name: 'trust', load: async () => (await import('./trust.ts')).TRUST },
  { name: 'plan', load: async () => (await import('./publish/plan.ts')).PLAN },
  { name: 'apply', load: async () => (await import('./publish/apply.ts')).APPLY },
  { name: 'history', load: async () => (await import('./publish/history.ts')).HISTORY },
  { name: 'rollback', load: async () => (await import('./publish/rollback.ts')).ROLLBACK },
  { name: 'drift', load: async () => (await import('./publish/drift.ts')).DRIFT },
  { name: 'pull', load: async () => (await import('./publish/pull.ts')).PULL },
  { name: 'adopt', load: async () => (await import('./publish/adopt.ts')).ADOPT },
  { name: 'serve', load: async () => (await import('./server/serve.ts')).SERVE },
  { name: 'keys', load: async () => (await import('./server/keys.ts')).KEYS },
  { name: 'events', load: async () => (await import('./server/events.ts')).EVENTS },
  { name: 'store', load: async () => (await import('./server/store.ts')).STORE },
  { name: 'completion', load: async () => (await import('./completion.ts')).COMPLETION, needsAll: true },
];

/** Returns the command that the arguments name, or all commands if they name none. Loading one makes the start several times faster. */
export function commandsFor(args: readonly string[]): readonly CommandEntry[] {
  const [first] = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '--color');
  const named = COMMANDS.find(({ name }) => name === first);
  return named === undefined || named.needsAll ? COMMANDS : [named];
}
