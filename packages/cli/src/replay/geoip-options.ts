import { type Command, Option } from 'commander';

/** Adds the options that say where clients are. */
export function addGeoipOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--geoip <file>',
      'a MaxMind DB file (`.mmdb`) that tells where the addresses of clients are; may be given several times',
    ).argParser((file, before: readonly string[] = []) => [...before, file]),
  );
}
