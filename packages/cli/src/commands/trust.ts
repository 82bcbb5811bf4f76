import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate trust`: the directories whose code may run. */
export const TRUST: CommandDefinition = {
  register(program, { terminal, finish }) {
    const trust = addHelp(program.command('trust'), HELP)
      .summary('allow the code of a directory to run')
      .description(
        'Modules that settings name run only in directories that you trust: extensions (`env`) and lint rules (`lint.load`). Trust covers ' +
          'everything below a directory, also what comes there later. `--trust` allows all code for one run.',
      )
      .argument('[directory]', 'the repository of the working directory by default')
      .action(async (directory: string | undefined) => {
        const { trustDirectory } = await import('../trust/manage-trust.ts');
        finish(await trustDirectory(directory, terminal));
      });
    trust
      .command('list')
      .summary('print the directories that you trust')
      .action(async () => {
        const { listTrusted } = await import('../trust/manage-trust.ts');
        finish(listTrusted(terminal));
      });
    trust
      .command('revoke [directory]')
      .summary('trust a directory no longer')
      .action(async (directory: string | undefined) => {
        const { revokeTrust } = await import('../trust/manage-trust.ts');
        finish(await revokeTrust(directory, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['trust', 'the repository that you are in'],
    ['trust list', 'a line for each directory'],
    ['trust revoke', 'refuse the code of this repository again'],
  ],
  clean: 'done',
  findings: 'the directory was not trusted',
};
