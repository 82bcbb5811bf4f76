import { nearest } from '@tollgate/cel';
import { printable } from '@tollgate/diagnostics';
import type { Command, CommanderError, Option } from 'commander';

/** Help and version end the parsing of a command line like errors do, and have been printed. */
const PRINTED = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

/** What is wrong with a command line, in the words of the house; undefined where everything has been printed already. */
export function usageMessage(error: CommanderError, program: Command, args: readonly string[]): string | undefined {
  if (PRINTED.has(error.code)) return undefined;
  const path = commandPath(program, args);
  const name = path.map(command => command.name()).join(' ');
  return `${printable(
    inOurForm(
      error.message,
      path.flatMap(command => command.options),
    ),
  )}\nsee \`${name} --help\``;
}

/** The command that the arguments name, below those that it belongs to. */
function commandPath(command: Command, args: readonly string[]): readonly Command[] {
  for (const [at, arg] of args.entries()) {
    const next = command.commands.find(one => one.name() === arg);
    if (next) return [command, ...commandPath(next, args.slice(at + 1))];
  }
  return [command];
}

function inOurForm(message: string, options: readonly Option[]): string {
  const [, suggestion] = /\(Did you mean (?:one of )?([^)?]+)\??\)/.exec(message) ?? [];
  const said = message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean [^)]*\)/, '')
    .replace(/'([^']*)'/g, '`$1`')
    .replace(/\.\s*$/, '');
  const hint = suggestion === undefined ? '' : `; did you mean ${quoted(suggestion.split(', '))}?`;
  return choiceMessage(said, options) ?? said.replace(/\. +(?=[a-z])/, ': ') + hint;
}

/** Of an option with choices, what they are and which was probably meant. */
function choiceMessage(said: string, options: readonly Option[]): string | undefined {
  const [, value, name, choices] =
    /^command-argument value `([^`]*)` is invalid for argument `([^`]*)`\. Allowed choices are (.*)$/.exec(said) ?? [];
  if (choices !== undefined) return expectation(`<${name}>`, choices.split(', '), value!);
  const [, flags, found] = /^option `([^`]*)` argument `([^`]*)` is invalid\. Allowed choices/.exec(said) ?? [];
  const option = options.find(one => one.flags === flags);
  if (found === undefined || !option?.argChoices) return undefined;
  const message = expectation(option.long ?? flags!, option.argChoices, found);
  // A list takes all that follows, files too.
  return option.variadic && !message.endsWith('?') ? `${message}; if that is a file, write \`--\` before it` : message;
}

function expectation(name: string, choices: readonly string[], found: string): string {
  const meant = nearest(found, choices);
  const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
  return `\`${name}\` expects ${quoted(choices)}, found \`${found}\`${hint}`;
}

function quoted(words: readonly string[]): string {
  const all = words.map(word => `\`${word.trim()}\``);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
