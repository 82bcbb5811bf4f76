// Options of a server and of the commands for its database.

import { describeType, flagOf, SERVER_SETTINGS, type SettingFact, variableOf } from '@tollgate/edge-server/settings';
import { type Command, Option } from 'commander';

/** The options of {@link addServerOptions}, by name of the setting. */
export interface ServerOptions extends Readonly<Record<string, string | boolean | undefined>> {
  /** Path of a settings file. */
  readonly config?: string;
}

/** Adds an option for each server setting, or only for the named ones. */
export function addServerOptions(command: Command, names?: readonly string[]): Command {
  const config = new Option(
    '--config <file>',
    'settings file in YAML or JSON; options and environment variables override it',
  );
  command.addOption(config.env('TOLLGATE_CONFIG'));
  const facts: readonly SettingFact[] = SERVER_SETTINGS;
  for (const fact of facts) if (!names || names.includes(fact.name)) command.addOption(optionOf(fact));
  return command;
}

function optionOf({ name, type, default: value, doc }: SettingFact): Option {
  const isFlag = type.kind === 'boolean';
  const shown = Array.isArray(value) ? value.join(',') : String(value);
  const hint = isFlag || shown === '' ? '' : ` (default: ${shown})`;
  const expected = type.kind === 'text' && type.expected === undefined ? '' : isFlag ? '' : `; ${describeType(type)}`;
  return new Option(
    isFlag ? `--${flagOf(name)}` : `--${flagOf(name)} <value>`,
    `${doc}${expected}${hint} [${variableOf(name)}]`,
  );
}
