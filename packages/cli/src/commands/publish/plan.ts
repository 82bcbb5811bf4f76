import { Option } from 'commander';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate plan [ENV]`: shows what `tollgate apply` would change. */
export const PLAN: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('plan'), HELP)
      .summary('show what publishing would change')
      .description(
        'Compares the targets in `tollgate.yaml` with the live configuration and shows the differences. Sends only reads. With ' +
          '`--out`, stores the plan for `tollgate apply`; it contains keyed hashes and no configuration.',
      )
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('--target <target...>', 'plan only these targets')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .option('--traffic <files...>', 'recorded traffic on which to show the impact')
      .option('--out <file>', 'store the plan')
      .option('--allow-erase', 'let the stored plan remove unknown live rules')
      .option('--exit-code', 'exit with 1 if there are changes, as `git diff` does')
      .action(async (environment: string | undefined, options) => {
        const { plan } = await import('../../publish/planning/plan.ts');
        finish(await plan(environment, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['plan', 'show the differences'],
    ['plan production --target shop --traffic access.log', 'one target, with its impact on recorded traffic'],
    ['plan production --out plan.json', 'store the plan; `tollgate apply plan.json` applies it'],
    ['plan --exit-code -f json', 'for scripts: exit with 1 if there are changes'],
  ],
  clean: 'planned; with `--exit-code`, no changes',
  findings: 'a policy has errors; with `--exit-code`, there are changes',
  external: 'the API, a file or a record is unavailable',
};
