import type { Argument, Command, Option } from 'commander';

/** What may stand at a place: one of these words, or a file; nothing is known of `other`. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'other' };

/** An option as shells complete it. */
export interface OptionSpec {
  /** `-f` and `--format`, as far as it has them. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for one without a value. */
  readonly values: Values | undefined;
}

/** A command as shells complete it. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** What its arguments may be; all the same from the last on. Empty for a command without any. */
  readonly args: readonly Values[];
  /** Those of a group, such as `keys create`. */
  readonly commands: readonly CommandSpec[];
}

/** The whole command line, made of the definitions that parse it. */
export interface CompletionSpec {
  readonly options: readonly OptionSpec[];
  readonly commands: readonly CommandSpec[];
}

/** Words that only the caller knows, by the name of the argument or option that takes them. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

const FILES = new Set(['file', 'files', 'policy', 'traffic', 'format[=file]', 'report[=file]']);

/** Reads what there is to complete from the definitions of the commands. */
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
    args: command.registeredArguments.map(argument => argumentValues(argument, known)),
    commands: command.commands.map(one => commandSpec(one, common, known)),
  };
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
  return { kind: FILES.has(name) ? 'file' : 'other' };
}
