import { type Command, Option } from 'commander';

/** The options of {@link addChangeOptions}, as given. */
export interface ChangeOptions {
  /** True without a revision. */
  readonly changed?: string | true;
  readonly staged?: true;
}

/** Returns true for the files of a run. */
export type FileSelection = (path: string) => boolean;

/** Adds the options that select changed files. */
export function addChangeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--changed [revision]',
        'only files that changed since a revision, such as `--changed=main`, or since the last commit',
      ).conflicts('staged'),
    )
    .option('--staged', 'only files that are staged for the next commit');
}
