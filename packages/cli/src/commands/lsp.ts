import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate lsp`: runs the language server for editors. */
export const LSP: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('lsp'), HELP)
      .summary('run the language server for editors')
      .description(
        'Runs the language server, which editors start to show diagnostics, completion and more in policies, policy tests and ' +
          '`tollgate.yaml`. It speaks the Language Server Protocol on standard input and output.',
      )
      .option('--stdio', 'use standard input and output (default)')
      .action(async () => {
        const { runLanguageServer } = await import('../language-server/run-language-server.ts');
        finish(await runLanguageServer(terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['lsp --stdio', 'the command to configure in an editor'],
    ['lsp', 'the same, for editors that pass no arguments'],
  ],
  clean: 'the editor ended the server',
};
