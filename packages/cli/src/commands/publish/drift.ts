import { Option } from 'commander';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate drift [ENV]`: finds changes that were made elsewhere. */
export const DRIFT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('drift'), HELP)
      .summary('find live changes that were made elsewhere')
      .description(
        'Compares the live configuration with what was last applied and with the files. Sends only reads. A target with ' +
          '`acceptedDrift` in `tollgate.yaml` is listed, but does not count until the day given there.',
      )
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('--target <target...>', 'compare only these targets')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (environment: string | undefined, options) => {
        const { drift } = await import('../../publish/history/drift.ts');
        finish(await drift(environment, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['drift', 'compare all targets'],
    ['drift production --target shop -f json', 'one target, for scripts'],
  ],
  clean: 'no drift',
  findings: 'a target differs',
  external: 'the API, a file or a record is unavailable',
};
