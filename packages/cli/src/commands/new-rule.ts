import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate new-rule ID`: writes a lint rule of one's own, to be changed into what is wanted. */
export const NEW_RULE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('new-rule'), HELP)
      .summary('begin a lint rule of your own')
      .description(
        'Writes a lint rule in TypeScript that works, and its test. Where there is no `tollgate.yaml`, one that loads it; otherwise it says ' +
          'what to add there.',
      )
      .argument('<id>', 'category and name, such as `team/no-log`')
      .option('--directory <path>', 'where to put it', 'lint-rules')
      .action(async (id: string, options) => {
        const { newRule } = await import('../rules/new-rule.ts');
        finish(await newRule(id, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['new-rule team/no-log', 'lint-rules/no-log.ts, and its test'],
    ['new-rule team/no-log --directory tools/rules', 'the same in another folder'],
  ],
};
