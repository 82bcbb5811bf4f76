import type { CommandDefinition } from './command-definition.ts';

/** A command whose definition is loaded on demand. */
interface CommandEntry {
  readonly name: string;
  readonly load: () => Promise<CommandDefinition>;
  /** Needs the definitions of all other commands as well. */
  readonly needsAll?: true;
}

/** A command with the heading in the help under which it is listed. */
interface GroupedCommand extends CommandEntry {
  readonly heading: string;
}

/** The heading of the commands for servers, computers and shells, and of `help`. */
export const OPERATE = 'Operate:';

const COMMAND_GROUPS: readonly { readonly heading: string; readonly commands: readonly CommandEntry[] }[] = [
  {
    heading: 'Write policies:',
    commands: [
      { name: 'init', load: async () => (await import('./project.ts')).INIT },
      { name: 'new', load: async () => (await import('./project.ts')).NEW },
      { name: 'check', load: async () => (await import('./check.ts')).CHECK },
      { name: 'lint', load: async () => (await import('./lint.ts')).LINT },
      { name: 'fmt', load: async () => (await import('./fmt.ts')).FMT },
      { name: 'migrate', load: async () => (await import('./migrate.ts')).MIGRATE },
      { name: 'explain', load: async () => (await import('./explain.ts')).EXPLAIN },
      { name: 'lsp', load: async () => (await import('./lsp.ts')).LSP },
      { name: 'mcp', load: async () => (await import('./lsp.ts')).MCP },
      { name: 'test-rules', load: async () => (await import('./test-rules.ts')).TEST_RULES },
    ],
  },
  {
    heading: 'Test them on traffic:',
    commands: [
      { name: 'test', load: async () => (await import('./test.ts')).TEST },
      { name: 'replay', load: async () => (await import('./replay.ts')).REPLAY },
      { name: 'trace', load: async () => (await import('./trace.ts')).TRACE },
      { name: 'simulate', load: async () => (await import('./trace.ts')).SIMULATE },
      { name: 'record', load: async () => (await import('./record.ts')).RECORD },
      { name: 'snapshot', load: async () => (await import('./record.ts')).SNAPSHOT },
    ],
  },
  {
    heading: 'Review changes:',
    commands: [
      { name: 'impact', load: async () => (await import('./impact.ts')).IMPACT },
      { name: 'describe', load: async () => (await import('./explain.ts')).DESCRIBE },
      { name: 'diff', load: async () => (await import('./proofs.ts')).DIFF },
      { name: 'prove', load: async () => (await import('./proofs.ts')).PROVE },
      { name: 'bypass', load: async () => (await import('./proofs.ts')).BYPASS },
    ],
  },
  {
    heading: 'Publish:',
    commands: [
      { name: 'plan', load: async () => (await import('./publish.ts')).PLAN },
      { name: 'apply', load: async () => (await import('./publish.ts')).APPLY },
      { name: 'history', load: async () => (await import('./publish.ts')).HISTORY },
      { name: 'rollback', load: async () => (await import('./publish.ts')).ROLLBACK },
      { name: 'drift', load: async () => (await import('./publish.ts')).DRIFT },
      { name: 'pull', load: async () => (await import('./publish.ts')).PULL },
      { name: 'adopt', load: async () => (await import('./publish.ts')).ADOPT },
      { name: 'compile', load: async () => (await import('./compile.ts')).COMPILE },
    ],
  },
  {
    heading: OPERATE,
    commands: [
      { name: 'enforce', load: async () => (await import('./trace.ts')).ENFORCE },
      { name: 'serve', load: async () => (await import('./server.ts')).SERVE },
      { name: 'keys', load: async () => (await import('./server.ts')).KEYS },
      { name: 'events', load: async () => (await import('./server.ts')).EVENTS },
      { name: 'store', load: async () => (await import('./server.ts')).STORE },
      { name: 'trust', load: async () => (await import('./project.ts')).TRUST },
      { name: 'doctor', load: async () => (await import('./project.ts')).DOCTOR },
      { name: 'completion', load: async () => (await import('./completion.ts')).COMPLETION, needsAll: true },
    ],
  },
];

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly GroupedCommand[] = COMMAND_GROUPS.flatMap(({ heading, commands }) =>
  commands.map(command => ({ ...command, heading })),
);

/** Returns the command that the arguments name, or all commands if they name none. Loading one makes the start several times faster. */
export function commandsFor(args: readonly string[]): readonly GroupedCommand[] {
  const [first] = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '--color');
  const named = COMMANDS.find(({ name }) => name === first);
  return named === undefined || named.needsAll ? COMMANDS : [named];
}
