import { Argument, type Command, Option } from 'commander';
import { PROJECT_LISTS, type ProjectList } from '../help/completion-script.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate completion SHELL`: prints a shell completion script. */
export const COMPLETION: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('completion'), HELP)
      .summary('print a shell completion script')
      .description(
        'Prints a script that completes commands, options, option values, files, the codes of `tollgate explain`, and the targets, environments ' +
          'and runs of a project. ' +
          'Regenerate it after an upgrade.',
      )
      .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
      // Scripts call it while they complete.
      .addOption(new Option('--list <list...>').choices(PROJECT_LISTS).hideHelp())
      .action(async (shell: 'bash' | 'zsh' | 'fish', { list }: { list?: readonly ProjectList[] }, command: Command) => {
        const { completionScript, projectNames } = await import('../help/completion-script.ts');
        if (list) terminal.write((await projectNames(list, terminal)).map(name => `${name}\n`).join(''));
        else terminal.write(completionScript(shell, command.parent!));
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
