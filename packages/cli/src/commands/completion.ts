import { Argument, type Command } from 'commander';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate completion SHELL`: prints a script that completes the command line. */
export const COMPLETION: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('completion'), HELP)
      .summary('print a script that completes the command line in a shell')
      .description(
        'Prints a script that a shell sources to complete commands, options, their values, files, and codes for `tollgate explain`. ' +
          'It is made of the definitions that parse the command line; make it again after an upgrade.',
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
    ['completion zsh', 'in ~/.zshrc, behind compinit: source <(tollgate completion zsh)'],
    ['completion fish', 'as ~/.config/fish/completions/tollgate.fish'],
  ],
  external: 'the output could not be written',
};
