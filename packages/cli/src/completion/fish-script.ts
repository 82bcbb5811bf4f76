import type { CommandSpec, CompletionSpec, OptionSpec, Values } from './completion-spec.ts';

/** A script for fish: sourced, or as a file in its folder of completions. */
export function fishScript(spec: CompletionSpec): string {
  const lines = [
    '# Completion of tollgate for fish: tollgate completion fish | source',
    'complete -c tollgate -f',
    ...spec.commands.map(
      ({ name, summary }) => `complete -c tollgate -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...spec.options.map(option => optionLine(option, '__fish_use_subcommand')),
    ...spec.commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ name, options, args }: CommandSpec): readonly string[] {
  const seen = quote(`__fish_seen_subcommand_from ${name}`);
  const last = args.at(-1);
  const values = last ? [`complete -c tollgate -n ${seen} ${completing(last)}`.trimEnd()] : [];
  return [...options.map(option => optionLine(option, seen)), ...values];
}

function optionLine({ names, description, values }: OptionSpec, condition: string): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
  const value = values ? ` ${values.kind === 'file' ? '-r -F' : `-x ${completing(values)}`.trimEnd()}` : '';
  return `complete -c tollgate -n ${condition} ${flags}${value} -d ${quote(description)}`;
}

function completing(values: Values): string {
  if (values.kind === 'words') return `-a ${quote(values.words.join(' '))}`;
  return values.kind === 'file' ? '-F' : '';
}

/** In single quotes only the quote and the backslash mean something. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, character => `\\${character}`)}'`;
}
