import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import { type Command, Option } from 'commander';
import type { Settings } from './targeting.ts';

/** The options of {@link addSettingsOptions}, as given. */
export interface SettingsOptions {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
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
    );
}

/** What the options say. */
export function settingsOf({ profile, endpoint }: SettingsOptions): Settings {
  return { profile: profileNamed(profile), endpoint };
}

function profileNamed(name: string | undefined): Profile | undefined {
  return PROFILES.find(profile => profile.name === name);
}
