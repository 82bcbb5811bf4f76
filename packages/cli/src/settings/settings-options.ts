import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { type Command, Option } from 'commander';

/** The options of {@link addSettingsOptions}, as given. */
export interface SettingsOptions {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  readonly env?: readonly string[];
}

const ENDPOINTS = [...new Set(PROFILES.flatMap(profile => profile.endpoints))];

/** Adds to a command the options that say what policies are for. */
export function addSettingsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--profile <name>', 'the dialect of the policies; told by their keys and names by default').choices(
        PROFILES.map(profile => profile.name),
      ),
    )
    .addOption(
      new Option('--endpoint <kind>', 'what the policies are for; https-route or http-endpoint by default').choices(
        ENDPOINTS,
      ),
    )
    .addOption(envOption());
}

/** The option that names extension files. */
export function envOption(): Option {
  return new Option(
    '--env <file...>',
    'what the edge offers beside its catalog, or does not: YAML, JSON, or a module of TypeScript or JavaScript',
  );
}
