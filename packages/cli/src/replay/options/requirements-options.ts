import { type Command, Option } from 'commander';

/** Adds `--requirements`. */
export function addRequirementsOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--requirements',
      'show which fields the policy needs and how to log them with nginx, Apache and Envoy, instead of replaying',
    ),
  );
}
