import { type Command, Option } from 'commander';

/** Adds the option that asks what traffic must hold. */
export function addRequirementsOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--requirements',
      'in place of a replay, show what the policy needs of a recording, and how nginx, Apache and Envoy record it',
    ),
  );
}
