import { Option } from 'commander';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate apply [PLAN.json] [ENV]`: publishes. */
export const APPLY: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('apply'), HELP)
      .summary('publish policies to an edge')
      .description(
        'Writes the modules that differ from the live configuration, after lint, tests and impact budget have passed, and reads ' +
          'each of them back. If a target fails, the targets already written are restored. The journal records what was written.',
      )
      .argument('[plan]', 'plan from `tollgate plan --out`')
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('-y, --yes', 'do not ask for confirmation')
      .option('--target <target...>', 'publish only these targets')
      .option('--allow-erase', 'remove live rules that neither the file nor the last apply contains')
      .option('--no-rollback', 'keep the targets already written if another one fails')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (plan: string | undefined, environment: string | undefined, options) => {
        const { apply } = await import('../../publish/applying/apply.ts');
        const names = [plan, environment].filter(one => one !== undefined);
        finish(await apply(names, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['apply', 'show the differences, ask, and publish'],
    ['apply production --yes', 'publish without asking, for example in CI'],
    ['apply plan.json', 'publish exactly what a plan says'],
  ],
  clean: 'all targets are as wanted',
  findings: 'a gate failed, a target has changed, or the run was interrupted',
  external: 'the API failed or rejected a change, or a file is unavailable',
};
