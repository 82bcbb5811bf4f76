// What can be completed, read from the definitions of the commands.

import type { Argument, Command, Option } from 'commander';

/** What can be completed: words, files, or names that the project file or the journal contains; nothing for `other`. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'project'; readonly lists: readonly ProjectList[] }
  | { readonly kind: 'file' | 'other' };

/** Names that are looked up when they are completed. */
export const PROJECT_LISTS = ['targets', 'environments', 'runs'] as const;

/** One of {@link PROJECT_LISTS}. */
export type ProjectList = (typeof PROJECT_LISTS)[number];

/** The shell command that prints the names. */
export function listCommand(shell: string, lists: readonly ProjectList[]): string {
  return `tollgate completion ${shell} --list ${lists.join(' ')} 2>/dev/null`;
}

/** An option to complete. */
export interface OptionSpec {
  /** Its names, such as `-f` and `--format`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly values: Values | undefined;
}

/** A command to complete. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** Its arguments; the last one repeats. Empty for a command without arguments. */
  readonly args: readonly Values[];
  /** The commands of a group, such as `keys create`. */
  readonly commands: readonly CommandSpec[];
}

/** Reads the completions from the definitions of all commands. */
export interface CompletionSpec {
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
export function completionSpec(program: Command, known: KnownWords): CompletionSpec {
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
