import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { TEMPLATE_KINDS, type TemplateKind } from '@tollgate/policy';
import { type Command, Option } from 'commander';

/** The options of {@link addSettingsOptions}, as given. */
export interface SettingsOptions {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  readonly env?: readonly string[];
  /** Language of the placeholders in all files. */
  readonly templates?: TemplateKind;
}

const ENDPOINTS = [...new Set(PROFILES.flatMap(profile => profile.endpoints))];

/** Adds the options for profile, endpoint and extensions. */
export function addSettingsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--profile <name>', 'profile of the policies; detected by default').choices(
        PROFILES.map(profile => profile.name),
      ),
    )
    .addOption(
      new Option(
        '--endpoint <kind>',
        'kind of endpoint the policies are attached to (default: https-route or http-endpoint)',
      ).choices(ENDPOINTS),
    )
    .addOption(envOption())
    .addOption(templatesOption());
}

/** The option that names the language of placeholders. */
function templatesOption(): Option {
  const text = 'treat placeholders of this template language as unknown values; Helm is detected';
  return new Option('--templates <language>', text).choices(TEMPLATE_KINDS);
}

/** The option that names extension files. */
export function envOption(): Option {
  return new Option('--env <file...>', 'extension of the catalog: YAML, JSON, or a TypeScript or JavaScript module');
}

/** Names the environment of `live:TARGET`. */
export function environmentOption(): Option {
  return new Option('--environment <name>', 'environment of `live:TARGET` (default: the only one)');
}
