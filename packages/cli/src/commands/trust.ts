import type { CommandDefinition } from './definition/command-definition.ts';
import { addHelp, type HelpText } from './definition/help-text.ts';

/** `tollgate trust`: manages the directories whose code may run. */
export const TRUST: CommandDefinition = {
  register(program, { terminal, finish }) {
    const trust = addHelp(program.command('trust'), HELP)
      .summary('allow code in a directory to run, and secrets to be sent')
      .description(
        'Modules named in settings, extensions (`env`) and lint rules (`lint.load`), run only in directories that you trust. ' +
          'Trust covers everything below a directory, including files added later. `--trust` allows all code for one run.',
      )
      .argument('[directory]', 'directory to trust (default: the current repository)')
      .action(async (directory: string | undefined) => {
        const { trustDirectory } = await import('../trust/manage-trust.ts');
        finish(await trustDirectory(directory, terminal));
      });
    trust
      .command('environment [name]')
      .summary('trust the URL of an environment with the secrets that go there')
      .action(async (name: string | undefined) => {
        const { trustEnvironment } = await import('../publish/project/secret-trust.ts');
        finish(await trustEnvironment(name, terminal));
      });
    trust
      .command('list')
      .summary('list trusted directories, and the secrets that projects may send')
      .action(async () => {
        const { listTrusted } = await import('../trust/manage-trust.ts');
        finish(listTrusted(terminal));
      });
    trust
      .command('revoke [directory]')
      .summary('stop trusting a directory')
      .action(async (directory: string | undefined) => {
        const { revokeTrust } = await import('../trust/manage-trust.ts');
        finish(await revokeTrust(directory, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['trust', 'trust the current repository'],
    ['trust environment production', 'allow sending the API key of `production` to its URL'],
    ['trust list', 'list trusted directories, one per line'],
    ['trust revoke', 'stop trusting the current repository'],
  ],
  clean: 'done',
  findings: 'the directory was not trusted',
};
