// Lint rules of a project: `tollgate new rule` writes one, `tollgate test-rules` tests them.

import { existsSync } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExternalError, printableLines } from '@tollgate/diagnostics';
import { createFile } from '../init/new-files.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { requireTrust } from '../trust/trusted-directories.ts';
import { provideOwnPackages } from './loaded-modules.ts';

/** The options of `tollgate new rule`. */
interface NewRuleOptions {
  readonly directory: string;
}

/** Writes a working lint rule, its test and, if there is none, the settings file that loads it; then prints the next steps. */
export async function newRule(id: string, { directory }: NewRuleOptions, terminal: Terminal): Promise<ExitCode> {
  const names = namesOf(id);
  if (!names) throw new UsageError(`expected an id such as \`team/no-log\`, found \`${id}\``);
  const rule = join(directory, `${names.file}.mts`);
  const test = join(directory, `${names.file}.test.mts`);
  await createFile(rule, ruleFile(names));
  await createFile(test, testFile(names));
  const load = `./${relative('.', rule).split(sep).join('/')}`;
  const isFirst = !existsSync(resolve('tollgate.yaml'));
  if (isFirst) await createFile('tollgate.yaml', `lint:\n  load: [${load}]\n`);
  const next = isFirst ? '' : `add \`${load}\` to \`lint.load\` in tollgate.yaml\n`;
  const trust = 'run `tollgate trust` once to allow lint rules in this directory to run\n';
  const written = [rule, test, ...(isFirst ? ['tollgate.yaml'] : [])].map(path => `${path}\n`).join('');
  terminal.write(
    printableLines(`${written}\n${next}${trust}run its tests with \`tollgate test-rules ${directory}\`\n`),
  );
  return EXIT.clean;
}

/** The names of a new lint rule in the notations that its files need. */
interface RuleNames {
  /** `team/no-log`. */
  readonly id: string;
  /** `no-log`. */
  readonly file: string;
  /** `NO_LOG`. */
  readonly constant: string;
}

/** Returns the names of a lint rule; undefined if the id is invalid. */
function namesOf(id: string): RuleNames | undefined {
  const file = /^[a-z][a-z0-9]*\/([a-z][a-z0-9-]*)$/.exec(id)?.[1];
  return file === undefined ? undefined : { id, file, constant: file.toUpperCase().replaceAll('-', '_') };
}

/** Returns the source of a lint rule that finds rules which only log, as a starting point. */
function ruleFile({ id, constant }: RuleNames): string {
  return `import type { LintRule } from '@tollgate/lint';

export const ${constant}: LintRule = {
  id: '${id}',
  severity: 'warning',
  summary: 'a rule that only logs',
  rationale: 'Explain here why this is a problem; \`tollgate explain ${id}\` shows it.',
  bad: {
    policy: \`\\
inbound:
  - name: note uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: «log» }]
\`,
  },
  good: {
    policy: \`\\
inbound:
  - name: no uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: deny }]
\`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: [],
  check: {
    action: (action, place, context) => {
      if (action.type.value !== 'log' || place.rule.actions.length > 1) return;
      context.report({ range: action.type.range, message: 'this rule only logs; add an action that decides, or remove the rule' });
    },
  },
};
`;
}

/** Returns the source of its test, with cases to change and extend. */
function testFile({ file, constant }: RuleNames): string {
  return `import { test } from 'node:test';
import { testRule } from '@tollgate/lint/testing';
import { ${constant} } from './${file}.mts';

testRule(test, ${constant}, {
  fires: {
    'at the type of the action': {
      policy: 'inbound: [{actions: [{type: «log»}]}]',
      message: 'this rule only logs; add an action that decides, or remove the rule',
    },
  },
  silent: {
    'ignores rules with other actions': 'inbound: [{actions: [{type: log}, {type: deny}]}]',
  },
});
`;
}

const TESTS = '**/*.test.{ts,mts,js,mjs}';

/** Runs the tests of lint rules. Node's test runner prints the results and sets the exit code if one fails. */
export async function testRules(paths: readonly string[], { env }: Terminal): Promise<ExitCode> {
  provideOwnPackages();
  const files = (await Promise.all(paths.map(testFiles))).flat().map(file => resolve(file));
  for (const file of files) requireTrust(file, env);
  for (const file of files) await load(file);
  return EXIT.clean;
}

async function load(file: string): Promise<void> {
  try {
    await import(pathToFileURL(file).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('settings/module', `cannot load \`${file}\`: ${reason}`, { cause });
  }
}

async function testFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new ExternalError('file/unreadable', `cannot read \`${path}\`: no such file`);
  if (!found.isDirectory()) return [path];
  const inside: string[] = [];
  for await (const name of glob(TESTS, { cwd: path, exclude: ['**/node_modules/**'] })) inside.push(name);
  if (inside.length === 0) throw new ExternalError('file/none-found', `no test (\`${TESTS}\`) in \`${path}\``);
  return inside.toSorted().map(name => join(path, name));
}
