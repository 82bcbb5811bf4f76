import { Option } from 'commander';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate rollback [N]`: restores what was live before a run. */
export const ROLLBACK: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('rollback'), HELP)
      .summary('restore what was live before a run')
      .description(
        'Restores what the targets of a run held before it, where they still hold what it wrote, whichever machine made the run. ' +
          'Skips lint, tests and impact budget. The rollback is a run of its own.',
      )
      .argument('[run]', 'number in `tollgate history`, or id of a run (default: the newest that is in effect)')
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('-y, --yes', 'do not ask for confirmation')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (run: string | undefined, environment: string | undefined, options) => {
        const { rollBackRun } = await import('../../publish/history/rollback.ts');
        const names = [run, environment].filter(one => one !== undefined);
        finish(await rollBackRun(names, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['rollback', 'undo the newest run that is in effect, after asking'],
    ['rollback production', 'in one of several environments'],
    ['rollback 3 --yes', 'undo run 3 without asking'],
  ],
  clean: 'rolled back',
  findings: 'a target has changed since the run',
  external: 'the API failed or rejected a change, or a file is unavailable',
};
