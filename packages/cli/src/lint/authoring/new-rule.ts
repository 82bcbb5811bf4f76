import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { printableLines } from '@tollgate/diagnostics';
import { createFile } from '../../init/new-files.ts';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { namesOf, ruleFile, testFile } from './rule-template.ts';

/** The options of `tollgate new rule`. */
export interface NewRuleOptions {
  readonly directory: string;
}

/** Writes a working lint rule, its test and, if there is none, the settings file that loads it; then prints the next steps. */
export async function newRule(id: string, { directory }: NewRuleOptions, terminal: Terminal): Promise<ExitCode> {
  const names = namesOf(id);
  if (!names) throw new UsageError(`expected an id such as \`team/no-log\`, found \`${id}\``);
  const rule = join(directory, `${names.file}.ts`);
  const test = join(directory, `${names.file}.test.ts`);
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
