import { describeType, flagOf, SERVER_SETTINGS, type SettingFact, variableOf } from '@tollgate/edge-server/settings';
import { type Command, Option } from 'commander';

/** The options of {@link addServerOptions}: the settings that were given, by their names. */
export interface ServerOptions extends Readonly<Record<string, string | boolean | undefined>> {
  /** Path of a settings file. */
  readonly config?: string;
}

/** Adds an option for each of the server's settings, or for those that are named. */
export function addServerOptions(command: Command, names?: readonly string[]): Command {
  const config = new Option(
    '--config <file>',
    'settings in YAML or JSON; the environment and options count before them',
  );
  command.addOption(config.env('TOLLGATE_CONFIG'));
  const facts: readonly SettingFact[] = SERVER_SETTINGS;
  for (const fact of facts) if (!names || names.includes(fact.name)) command.addOption(optionOf(fact));
  return command;
}

function optionOf({ name, type, default: value, doc }: SettingFact): Option {
  const isFlag = type.kind === 'boolean';
  const shown = Array.isArray(value) ? value.join(',') : String(value);
  const hint = isFlag || shown === '' ? '' : `, \`${shown}\` by default`;
  const expected = type.kind === 'text' && type.expected === undefined ? '' : isFlag ? '' : `; ${describeType(type)}`;
  return new Option(
    isFlag ? `--${flagOf(name)}` : `--${flagOf(name)} <value>`,
    `${doc}${expected}${hint} [${variableOf(name)}]`,
  );
}
