// A page for each command, from its definition.

import { createProgram } from '@tollgate/cli';
import type { Command } from 'commander';
import { code, table } from '../reference/markdown-table.ts';
import { type SitePage, sitePage } from './site-page.ts';

const FOLDER = 'reference/command';

/** Returns the pages of all commands, and their index. */
export async function commandPages(): Promise<readonly SitePage[]> {
  const silent = { write: () => undefined, writeError: () => undefined, isInteractive: false, env: {} };
  const terminal = { ...silent, readInput: async () => new Uint8Array() };
  const program = await createProgram({ args: [], terminal, finish: () => undefined });
  const commands = program.commands.filter(command => command.name() !== 'help');
  const groups = [...Map.groupBy(commands, command => command.helpGroup().replace(/:$/, ''))];
  const lists = groups.map(([group, members]) => {
    const rows = members.map(one => [`[${code(one.name())}](${one.name()}.md)`, one.summary() || one.description()]);
    return `## ${group}\n\n${table(['command', 'what it does'], rows)}`;
  });
  const index = `# The \`tollgate\` command

${program.description()} [Installing](../../guide/installing.md) says how to get it.

${lists.join('\n')}
## Options of every command

${optionTable(program)}
Exit codes: 0 clean, 1 findings, 2 usage error, 3 I/O error, 70 internal error, 130 interrupted after a partial report.
`;
  return [sitePage(`${FOLDER}/index.md`, index), ...commands.map(commandPage)];
}

function commandPage(command: Command): SitePage {
  const name = command.name();
  const markdown = `# \`tollgate ${name}\`\n\n${sections(command, `tollgate ${name}`)}`;
  return sitePage(`${FOLDER}/${name}.md`, markdown, {
    title: `tollgate ${name}`,
    description: `tollgate ${name}: ${command.summary() || command.description()}.`,
  });
}

function sections(command: Command, name: string): string {
  const usage = `\`\`\`text\n${name} ${command.usage()}\n\`\`\``;
  const given = command.registeredArguments.filter(({ description }) => description !== '');
  const args = given.map(one => [code(one.variadic ? `${one.name()}...` : one.name()), one.description]);
  const own = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');
  const nested = command.commands.filter(one => one.name() !== 'help');
  const parts = [
    usage,
    ...(command.description() === '' ? [] : [command.description()]),
    ...(args.length === 0 ? [] : [`## Arguments\n\n${table(['argument', 'meaning'], args)}`]),
    ...(own.length === 0 ? [] : [`## Options\n\n${optionTable(command)}`]),
    ...afterHelp(command),
    ...nested.map(
      one => `## \`${name} ${one.name()}\`\n\n${sections(one, `${name} ${one.name()}`).replaceAll(/^## /gm, '### ')}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function optionTable(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return table(
    ['option', 'meaning'],
    options.map(option => [code(option.flags), help.optionDescription(option)]),
  );
}

/** The examples and exit codes that the help ends with. */
function afterHelp(command: Command): readonly string[] {
  let text = '';
  command.configureOutput({
    writeOut: part => {
      text += part;
    },
  });
  command.outputHelp();
  const [, examples] = /^Examples:\n([\s\S]*?)\n\n/m.exec(text) ?? [];
  const [, codes] = /^Exit codes:\n([\s\S]*?)\n*$/m.exec(text) ?? [];
  const pairs = [...(examples ?? '').matchAll(/^ {2}(tollgate .*)\n {6}(.*)$/gm)];
  const rows = [...(codes ?? '').matchAll(/^ {2}(\d+) +(.*)$/gm)].map(([, number = '', meaning = '']) => [
    number,
    meaning,
  ]);
  return [
    ...(pairs.length === 0
      ? []
      : [
          `## Examples\n\n${pairs.map(([, line, what]) => `- ${sentence(what)}:\n\n  \`\`\`sh\n  npx ${line}\n  \`\`\``).join('\n')}`,
        ]),
    ...(rows.length === 0 ? [] : [`## Exit codes\n\n${table(['code', 'meaning'], rows)}`]),
  ];
}

function sentence(text = ''): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
