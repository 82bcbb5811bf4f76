import { type CommandSpec, type CompletionSpec, listCommand, type OptionSpec, type Values } from './completion-spec.ts';

/** Returns a script for fish, to be sourced or stored in its completions folder. */
export function fishScript(spec: CompletionSpec): string {
  const lines = [
    '# Completion of tollgate for fish: tollgate completion fish | source',
    'complete -c tollgate -f',
    ...groupLines(spec, ''),
  ];
  return `${lines.join('\n')}\n`;
}

/** Completes the commands of a group until one of them has been entered. `above` is the condition for the group. */
function groupLines({ options, commands }: CompletionSpec, above: string): readonly string[] {
  const names = commands.map(({ name }) => name).join(' ');
  const none = above === '' ? '__fish_use_subcommand' : quote(`${above}; and not __fish_seen_subcommand_from ${names}`);
  return [
    ...commands.map(({ name, summary }) => `complete -c tollgate -n ${none} -a ${name} -d ${quote(summary)}`),
    ...options.map(option => optionLine(option, none)),
    ...commands.flatMap(command => commandLines(command, above)),
  ];
}

function commandLines(command: CommandSpec, above: string): readonly string[] {
  const { name, options, args, commands } = command;
  const seen = `${above === '' ? '' : `${above}; and `}__fish_seen_subcommand_from ${name}`;
  if (commands.length > 0) return groupLines(command, seen);
  const last = args.at(-1);
  const values = last ? [`complete -c tollgate -n ${quote(seen)} ${completing(last)}`.trimEnd()] : [];
  return [...options.map(option => optionLine(option, quote(seen))), ...values];
}

function optionLine({ names, description, values }: OptionSpec, condition: string): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
  const value = values ? ` ${values.kind === 'file' ? '-r -F' : `-x ${completing(values)}`.trimEnd()}` : '';
  return `complete -c tollgate -n ${condition} ${flags}${value} -d ${quote(description)}`;
}

function completing(values: Values): string {
  if (values.kind === 'words') return `-a ${quote(values.words.join(' '))}`;
  if (values.kind === 'project') return `-a ${quote(`(${listCommand('fish', values.lists)})`)}`;
  return values.kind === 'file' ? '-F' : '';
}

/** Between single quotes, only the quote and the backslash are special. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, character => `\\${character}`)}'`;
}
