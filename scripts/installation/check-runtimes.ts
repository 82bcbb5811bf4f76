import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExecutable } from './executable.ts';
import { checked, type Finding } from './finding.ts';
import { type Ended, inProject, type Project } from './project.ts';
import type { Tools } from './tools.ts';

const POLICY = 'examples/policies/bookshop.yaml';
const LOG = 'examples/traffic/access.log';

/** Commands with files of this repository. */
const COMMANDS: readonly (readonly string[])[] = [
  ['--version'],
  ['check', POLICY],
  ['lint', POLICY, '--preset', 'all', '--format', 'json'],
  ['fmt', '--check', POLICY],
  ['explain', 'logic/unreachable-rule'],
  ['test', 'examples/tests'],
  ['replay', POLICY, LOG, '--format', 'json'],
  ['replay', POLICY, 'examples/traffic/browse.har', '--format', 'json'],
  ['trace', POLICY, '--request', `${LOG}#1`],
  ['migrate', POLICY, '--to', 'modern'],
  ['completion', 'bash'],
];

/** What needs an optional package, and how the command says so. */
const WITHOUT_OPTIONAL: readonly WithoutOptional[] = [
  { what: 'a CSV file', args: ['replay', POLICY, 'traffic.csv'], message: 'run `npm install @duckdb/node-api`' },
  {
    what: 'PostgreSQL',
    args: ['serve', '--database', 'postgres://127.0.0.1:1/x', '--secret-key-file', 'secret.key'],
    message: 'run `npm install pg`',
  },
];

interface WithoutOptional {
  readonly what: string;
  readonly args: readonly string[];
  readonly message: string;
}

/** Runs the installed command on each runtime: the results are the same everywhere. */
export function checkRuntimes(
  tarballs: ReadonlyMap<string, string>,
  { managers, runtimes, bun }: Tools,
  root: string,
): readonly Finding[] {
  return inProject(project => {
    const executable = buildExecutable({ target: 'linux-x64', bun, root, out: project.folder });
    project.must(managers.npm ?? [], tarballs.get('@tollgate/cli') ?? '');
    const script = join(project.folder, 'node_modules/@tollgate/cli/bin/tollgate.js');
    const inRoot = (args: readonly string[]) => args.map(arg => (arg.startsWith('examples/') ? join(root, arg) : arg));
    const commands = [
      ...Object.entries(runtimes).map(([name, runtime]) => [name, [...runtime, script]] as const),
      ['the executable', [executable]] as const,
    ];
    const reference = commands[0]?.[1] ?? [];
    const expected = COMMANDS.map(args => project.run(reference, ...inRoot(args)));
    const everywhere = commands.map(([name, command]) =>
      checked(`${COMMANDS.length} commands on ${name}`, () => {
        for (const [index, args] of COMMANDS.entries())
          same(args, project.run(command, ...inRoot(args)), expected[index]);
        return `passed`;
      }),
    );
    return [...everywhere, ...optionalPackages(project, reference, inRoot)];
  });
}

function same(args: readonly string[], found: Ended, expected: Ended | undefined): void {
  const command = `tollgate ${args.join(' ')}`;
  if (found.status !== expected?.status || expected.status === 70)
    throw new Error(`${command} ended with ${found.status}: ${found.err}`);
  if (found.out !== expected.out) throw new Error(`${command} printed something else: ${found.out.slice(0, 500)}`);
}

function optionalPackages(
  project: Project,
  command: readonly string[],
  inRoot: (args: readonly string[]) => readonly string[],
): readonly Finding[] {
  writeFileSync(join(project.folder, 'traffic.csv'), 'method,url,status\nGET,https://shop.example/,200\n');
  writeFileSync(join(project.folder, 'secret.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  return WITHOUT_OPTIONAL.map(({ what, args, message }) =>
    checked(`${what} without the optional package`, () => {
      const { status, err } = project.run(command, ...inRoot(args));
      if (status !== 3 || !err.includes(message) || err.trim().includes('\n'))
        throw new Error(`ended with ${status}: ${err}`);
      return `exit 3: ${err.trim()}`;
    }),
  );
}
