import { Option } from 'commander';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate history [ENV]`: lists what was published. */
export const HISTORY: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('history'), HELP)
      .summary('list what was published')
      .description(
        'Lists the runs in the journal of this machine and those that records at the edge tell of, newest first: when, by whom, from which commit, and how they ended. A record tells what a run was about to write, not how it ended.',
      )
      .argument('[environment]', 'only runs in this environment')
      .option('--local', 'list only the journal of this machine; sends nothing')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (environment: string | undefined, options) => {
        const { history } = await import('../../publish/history/history.ts');
        finish(await history(environment, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['history', 'all runs'],
    ['history --local', 'the runs of this machine, without a connection'],
    ['history production -f json', 'one environment, for scripts'],
  ],
  clean: 'listed',
  external: 'the journal or the edges cannot be read',
};
