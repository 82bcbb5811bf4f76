import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate pull [ENV]`: writes live policies to files. */
export const PULL: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('pull'), HELP)
      .summary('write live policies to files')
      .description(
        'Writes the live policy of each target to its file, formatted. Comments in existing files stay with their rules. Sends only ' +
          'reads.',
      )
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('--target <target...>', 'pull only these targets')
      .action(async (environment: string | undefined, options) => {
        const { pull } = await import('../../publish/adopting/pull.ts');
        finish(await pull(environment, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['pull', 'all targets'],
    ['pull production --target shop', 'one target'],
  ],
  clean: 'all files are as live',
  findings: 'a target has no live policy',
  external: 'the API, a file or a record is unavailable',
};
