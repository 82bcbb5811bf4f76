import { type Command, Option } from 'commander';

/** Adds the option for geolocation databases. */
export function addGeoipOptions(command: Command): Command {
  return command.addOption(
    new Option('--geoip <file>', 'MaxMind database (`.mmdb`) to locate client addresses; repeatable').argParser(
      (file, before: readonly string[] = []) => [...before, file],
    ),
  );
}
