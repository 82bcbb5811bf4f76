// Completion scripts for bash, zsh and fish.

import { ExternalError, REPORT_FORMATS } from '@tollgate/diagnostics';
import type { Argument, Command, Option } from 'commander';
import { CODE_PAGES } from '../output/code-table.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { openJournal, openKeyed } from '../publish/journal-file.ts';
import { loadProject } from '../publish/project.ts';
import { REPLAY_FORMATS } from '../replay/replay-options.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The shells that have completion scripts. */
type Shell = keyof typeof SCRIPTS;

/** Returns names that the project file or the journal contains; none if there is no project, or if it has errors. */
export async function projectNames(lists: readonly ProjectList[], terminal: Terminal): Promise<readonly string[]> {
  try {
    const project = await loadProject({ ...terminal, write: () => undefined, writeError: () => undefined });
    if (typeof project === 'number') return [];
    const { targets = {}, environments = {} } = project.publish;
    return lists.flatMap(list => {
      if (list === 'targets') return Object.keys(targets);
      if (list === 'environments') return Object.keys(environments);
      return openJournal(project, openKeyed(project, false)).runs.map(({ number }) => String(number));
    });
  } catch (error) {
    if (error instanceof ExternalError || error instanceof UsageError) return [];
    throw error;
  }
}

/** Returns the completion script of a shell. */
export function completionScript(shell: Shell, program: Command): string {
  const codes = CODE_PAGES.map(({ code }) => code);
  const known = {
    codes,
    'format[=file]': Object.keys(REPORT_FORMATS),
    'report[=file]': Object.keys(REPLAY_FORMATS),
  };
  return SCRIPTS[shell](completionSpec(program, known));
}

/** Returns a script for bash 3.2 or later, to be sourced. It needs no other script. */
function bashScript(spec: CompletionSpec): string {
  const all = withPaths(spec.commands, '');
  return `# Completion of tollgate for bash: source <(tollgate completion bash)
_tollgate_words() {
  local IFS=$'\\n'
  COMPREPLY=($(IFS=$' \\n' compgen -W "$1" -- "$cur"))
}

_tollgate_files() {
  compopt -o filenames 2>/dev/null
  local file
  COMPREPLY=()
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
}

_tollgate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' at
  # Bash takes what is around = for words of their own.
  if [[ $cur == '=' ]]; then cur=''
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  local behind=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$command \${COMP_WORDS[at]}" in
      ${all.map(({ path }) => `'${path}'`).join('|')}) command="$command \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$command:$prev" in
${valueCases([{ ...ROOT, ...spec, path: '' }, ...all])}
  esac
  # The file of --format sarif=FILE.
  if [[ $behind == '=' || \${COMP_WORDS[COMP_CWORD]} == '=' ]]; then _tollgate_files; return; fi
  case "$command" in
${[{ ...ROOT, ...spec, path: '' }, ...all].map(bashCase).join('\n')}
  esac
}

complete -F _tollgate tollgate
`;
}

/** A command with its path, a space before each name. */
interface PathSpec extends CommandSpec {
  readonly path: string;
}

const ROOT: CommandSpec = { name: '', summary: '', options: [], args: [], commands: [] };

function withPaths(commands: readonly CommandSpec[], above: string): readonly PathSpec[] {
  return commands.flatMap(command => {
    const path = `${above} ${command.name}`;
    return [{ ...command, path }, ...withPaths(command.commands, path)];
  });
}

function valueCases(commands: readonly PathSpec[]): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ names, values }) => (values ? [caseOf(path, names, values)] : [])),
    )
    .join('\n');
}

function caseOf(path: string, names: readonly string[], values: Values): string {
  return `    ${names.map(name => `'${path}:${name}'`).join('|')}) ${bashCompleting(values)}; return ;;`;
}

function bashCompleting(values: Values): string {
  if (values.kind === 'words') return `_tollgate_words ${bashQuote(values.words)}`;
  if (values.kind === 'project') return `_tollgate_words "$(${listCommand('bash', values.lists)})"`;
  return values.kind === 'file' ? '_tollgate_files' : ':';
}

function bashCase({ path, options, args, commands }: PathSpec): string {
  const below = commands.map(({ name }) => name);
  const last = args.at(-1);
  const otherwise = below.length > 0 ? `_tollgate_words ${bashQuote(below)}` : last ? bashCompleting(last) : ':';
  return `    '${path}') if [[ $cur == -* ]]; then _tollgate_words ${bashQuote(optionNames(options))}; else ${otherwise}; fi ;;`;
}

function optionNames(options: readonly OptionSpec[]): readonly string[] {
  return options.flatMap(({ names }) => names);
}

function bashQuote(words: readonly string[]): string {
  return `'${words.join(' ').replaceAll("'", "'\\''")}'`;
}

/** Returns a script for zsh, to be sourced or stored as `_tollgate` in a folder of `fpath`. */
function zshScript(spec: CompletionSpec): string {
  return `#compdef tollgate
# Completion of tollgate for zsh: source <(tollgate completion zsh)
${groupFunctions('_tollgate', spec)}

if [[ $funcstack[1] == _tollgate ]]; then _tollgate "$@"; else compdef _tollgate tollgate; fi
`;
}

/** Returns a function for a group of commands, after those of its subgroups. */
function groupFunctions(name: string, { options, commands }: CompletionSpec): string {
  const inner = commands
    .filter(command => command.commands.length > 0)
    .map(command => groupFunctions(`${name}_${command.name}`, command));
  const offered = commands.map(command => `    ${zshQuote(`${command.name}:${command.summary}`)}`);
  return `${inner.map(text => `${text}\n\n`).join('')}${name}_commands() {
  local -a commands=(
${offered.join('\n')}
  )
  _describe -t commands command commands
}

${name}() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \\
${lines(options)}
    '1: :${name}_commands' \\
    '*:: :->argument'
  [[ $state == argument ]] || return
  case $words[1] in
${commands.map(command => zshCase(name, command)).join('\n')}
  esac
}`;
}

function lines(options: readonly OptionSpec[]): string {
  return options.map(option => `    ${optionText(option)} \\`).join('\n');
}

function zshCase(group: string, { name, options, args, commands }: CommandSpec): string {
  if (commands.length > 0) return `    ${name}) ${group}_${name} ;;`;
  const last = args.at(-1);
  const rest = last ? [`      ${zshQuote(`*:argument:${action(last)}`)}`] : [];
  return `    ${name})
      _arguments -s \\
${[...options.map(option => `        ${optionText(option)}`), ...rest.map(line => `  ${line}`)].join(' \\\n')} ;;`;
}

/** Returns an option: `'*'{-f,--format}'[output format]:value:(text json)'`. */
function optionText({ names, description, values }: OptionSpec): string {
  const about = `[${description.replaceAll(/[[\]\\]/g, character => `\\${character}`)}]`;
  const value = values ? `:value:${action(values)}` : '';
  const alternatives = names.length > 1 ? `{${names.join(',')}}` : names[0]!;
  return `'*'${alternatives}${zshQuote(about + value)}`;
}

function action(values: Values): string {
  if (values.kind === 'words') return `(${values.words.join(' ')})`;
  if (values.kind === 'project') return `{compadd -- ${'$'}{(f)"$(${listCommand('zsh', values.lists)})"}}`;
  return values.kind === 'file' ? '_files' : ' ';
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a script for fish, to be sourced or stored in its completions folder. */
function fishScript(spec: CompletionSpec): string {
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
  const none =
    above === '' ? '__fish_use_subcommand' : fishQuote(`${above}; and not __fish_seen_subcommand_from ${names}`);
  return [
    ...commands.map(({ name, summary }) => `complete -c tollgate -n ${none} -a ${name} -d ${fishQuote(summary)}`),
    ...options.map(option => optionLine(option, none)),
    ...commands.flatMap(command => commandLines(command, above)),
  ];
}

function commandLines(command: CommandSpec, above: string): readonly string[] {
  const { name, options, args, commands } = command;
  const seen = `${above === '' ? '' : `${above}; and `}__fish_seen_subcommand_from ${name}`;
  if (commands.length > 0) return groupLines(command, seen);
  const last = args.at(-1);
  const values = last ? [`complete -c tollgate -n ${fishQuote(seen)} ${fishCompleting(last)}`.trimEnd()] : [];
  return [...options.map(option => optionLine(option, fishQuote(seen))), ...values];
}

function optionLine({ names, description, values }: OptionSpec, condition: string): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
  const value = values ? ` ${values.kind === 'file' ? '-r -F' : `-x ${fishCompleting(values)}`.trimEnd()}` : '';
  return `complete -c tollgate -n ${condition} ${flags}${value} -d ${fishQuote(description)}`;
}

function fishCompleting(values: Values): string {
  if (values.kind === 'words') return `-a ${fishQuote(values.words.join(' '))}`;
  if (values.kind === 'project') return `-a ${fishQuote(`(${listCommand('fish', values.lists)})`)}`;
  return values.kind === 'file' ? '-F' : '';
}

/** Between single quotes, only the quote and the backslash are special. */
function fishQuote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, character => `\\${character}`)}'`;
}

// What can be completed, read from the definitions of the commands.

/** What can be completed: words, files, or names that the project file or the journal contains; nothing for `other`. */
type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'project'; readonly lists: readonly ProjectList[] }
  | { readonly kind: 'file' | 'other' };

/** Names that are looked up when they are completed. */
export const PROJECT_LISTS = ['targets', 'environments', 'runs'] as const;

/** One of {@link PROJECT_LISTS}. */
export type ProjectList = (typeof PROJECT_LISTS)[number];

/** The shell command that prints the names. */
function listCommand(shell: string, lists: readonly ProjectList[]): string {
  return `tollgate completion ${shell} --list ${lists.join(' ')} 2>/dev/null`;
}

/** An option to complete. */
interface OptionSpec {
  /** Its names, such as `-f` and `--format`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly values: Values | undefined;
}

/** A command to complete. */
interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** Its arguments; the last one repeats. Empty for a command without arguments. */
  readonly args: readonly Values[];
  /** The commands of a group, such as `keys create`. */
  readonly commands: readonly CommandSpec[];
}

/** Reads the completions from the definitions of all commands. */
interface CompletionSpec {
  readonly options: readonly OptionSpec[];
  readonly commands: readonly CommandSpec[];
}

/** Words that only the caller knows, by name of the argument or option that takes them. */
type KnownWords = Readonly<Record<string, readonly string[]>>;

/** The names of arguments and options that take such names. */
const LISTED: ReadonlyMap<string, ProjectList> = new Map([
  ['target', 'targets'],
  ['environment', 'environments'],
  ['run', 'runs'],
]);

const FILES = new Set(['file', 'files', 'policy', 'traffic', 'format[=file]', 'report[=file]']);

/** Returns the completions of a command and its subcommands. */
function completionSpec(program: Command, known: KnownWords): CompletionSpec {
  const options = optionsOf(program, known);
  const commands = program.commands.map(command => commandSpec(command, options, known));
  const names = words(commands.map(({ name }) => name));
  const help = { name: 'help', summary: 'print the help of a command', options, args: [names], commands: [] };
  return { options, commands: [...commands, help] };
}

function commandSpec(command: Command, common: readonly OptionSpec[], known: KnownWords): CommandSpec {
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: [...optionsOf(command, known), ...common],
    args: joined(command.registeredArguments.map(argument => argumentValues(argument, known))),
    commands: command.commands.map(command => commandSpec(command, common, known)),
  };
}

/** The last argument repeats; names for each position are offered together, because optional ones may be left out. */
function joined(args: readonly Values[]): readonly Values[] {
  const lists = args.flatMap(one => (one.kind === 'project' ? one.lists : []));
  return lists.length > 0 && args.at(-1)!.kind === 'project' ? [{ kind: 'project', lists }] : args;
}

function words(list: readonly string[]): Values {
  return { kind: 'words', words: list };
}

function optionsOf(command: Command, known: KnownWords): readonly OptionSpec[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(option => ({
      names: [option.short, option.long].filter(name => name !== undefined),
      description: option.description,
      values: optionValues(option, known),
    }));
}

function optionValues(option: Option, known: KnownWords): Values | undefined {
  if (!option.required && !option.optional) return undefined;
  const name = /[<[](.+?)(?:\.\.\.)?[>\]]$/.exec(option.flags)?.[1] ?? '';
  return valuesOf(option.argChoices ?? known[name], name);
}

function argumentValues(argument: Argument, known: KnownWords): Values {
  return valuesOf(argument.argChoices ?? known[argument.name()], argument.name());
}

function valuesOf(choices: readonly string[] | undefined, name: string): Values {
  if (choices) return words(choices);
  const list = LISTED.get(name);
  if (list) return { kind: 'project', lists: [list] };
  return { kind: FILES.has(name) ? 'file' : 'other' };
}
