// `tollgate lsp` and `tollgate mcp`: servers for the programs in which people write policies.

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

/** `tollgate mcp`: serves tools for assistants. */
export const MCP: CommandDefinition = {
  register(program, { finish }) {
    addHelp(program.command('mcp'), MCP_HELP)
      .summary('serve tools for coding assistants')
      .description(
        'Serves seven tools over the Model Context Protocol, on standard input and output: check, describe, trace, replay, compare ' +
          'and prove policies, and look up names and codes. The tools change nothing, send nothing, and run no code of a repository.',
      )
      .argument('[directories...]', 'directories whose files the assistant may name (default: none; it sends contents)')
      .action(async (directories: readonly string[]) => {
        const { runAssistant } = await import('../assistant/run-assistant.ts');
        finish(await runAssistant(directories));
      });
  },
};

const MCP_HELP: HelpText = {
  examples: [
    ['mcp .', 'the command to configure in an assistant, for a project'],
    ['mcp', 'the same, without access to files'],
  ],
  clean: 'the assistant ended the server',
  external: 'a directory cannot be read',
};
