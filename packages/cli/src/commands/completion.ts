import { Argument, type Command } from 'commander';
import type { CommandDefinition } from './definition/command-definition.ts';
import { addHelp, type HelpText } from './definition/help-text.ts';

/** `tollgate completion SHELL`: prints a shell completion script. */
export const COMPLETION: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('completion'), HELP)
      .summary('print a shell completion script')
      .description(
        'Prints a script that completes commands, options, option values, files, and the codes of `tollgate explain`. ' +
          'Regenerate it after an upgrade.',
      )
      .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
      .action(async (shell: 'bash' | 'zsh' | 'fish', _, command: Command) => {
        const { completionScript } = await import('../completion/completion-script.ts');
        terminal.write(completionScript(shell, command.parent!));
        finish(0);
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['completion bash', 'in ~/.bashrc: source <(tollgate completion bash)'],
    ['completion zsh', 'in ~/.zshrc, after compinit: source <(tollgate completion zsh)'],
    ['completion fish', 'save as ~/.config/fish/completions/tollgate.fish'],
  ],
  external: 'the output could not be written',
};
