// What is wrong with a command line, in our own words.

import { nearest } from '@tollgate/cel/tooling';
import { printable } from '@tollgate/diagnostics';
import type { Command, CommanderError, Option } from 'commander';

/** Commander reports help and version as errors, after printing them. */
const PRINTED = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

/** Returns what is wrong with a command line; undefined if everything has been printed already. */
export function usageMessage(error: CommanderError, program: Command, args: readonly string[]): string | undefined {
  if (PRINTED.has(error.code)) return undefined;
  const path = commandPath(program, args);
  const name = path.map(command => command.name()).join(' ');
  return `${printable(
    rephrase(
      error.message,
      path.flatMap(command => command.options),
    ),
  )}\nsee \`${name} --help\``;
}

/** Returns the command that the arguments name, after its parents. */
function commandPath(command: Command, args: readonly string[]): readonly Command[] {
  for (const [at, arg] of args.entries()) {
    const next = command.commands.find(command => command.name() === arg);
    if (next) return [command, ...commandPath(next, args.slice(at + 1))];
  }
  return [command];
}

function rephrase(message: string, options: readonly Option[]): string {
  const [, suggestion] = /\(Did you mean (?:one of )?([^)?]+)\??\)/.exec(message) ?? [];
  const summary = message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean [^)]*\)/, '')
    .replace(/'([^']*)'/g, '`$1`')
    .replace(/\.\s*$/, '');
  const hint = suggestion === undefined ? '' : `; did you mean ${quoted(suggestion.split(', '))}?`;
  return choiceMessage(summary, options) ?? summary.replace(/\. +(?=[a-z])/, ': ') + hint;
}

/** Returns the message for an invalid choice, with the closest valid one. */
function choiceMessage(summary: string, options: readonly Option[]): string | undefined {
  const [, value, name, choices] =
    /^command-argument value `([^`]*)` is invalid for argument `([^`]*)`\. Allowed choices are (.*)$/.exec(summary) ??
    [];
  if (choices !== undefined) return expectation(`<${name}>`, choices.split(', '), value!);
  const [, flags, found] = /^option `([^`]*)` argument `([^`]*)` is invalid\. Allowed choices/.exec(summary) ?? [];
  const option = options.find(option => option.flags === flags);
  if (found === undefined || !option?.argChoices) return undefined;
  return expectation(option.long ?? flags!, option.argChoices, found);
}

function expectation(name: string, choices: readonly string[], found: string): string {
  const closest = nearest(found, choices);
  const hint = closest === undefined ? '' : `; did you mean \`${closest}\`?`;
  return `\`${name}\` expects ${quoted(choices)}, found \`${found}\`${hint}`;
}

function quoted(words: readonly string[]): string {
  const all = words.map(word => `\`${word.trim()}\``);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
