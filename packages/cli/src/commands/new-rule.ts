import type { CommandDefinition } from './definition/command-definition.ts';
import { addHelp, type HelpText } from './definition/help-text.ts';

/** `tollgate new-rule ID`: creates a custom lint rule from a template. */
export const NEW_RULE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('new-rule'), HELP)
      .summary('create a custom lint rule')
      .description(
        'Writes a working lint rule in TypeScript and its test. Creates a `tollgate.yaml` that loads it; if there is one already, ' +
          'prints what to add to it.',
      )
      .argument('<id>', 'id of the lint rule, such as `team/no-log`')
      .option('--directory <path>', 'directory for the new files', 'lint-rules')
      .action(async (id: string, options) => {
        const { newRule } = await import('../lint/authoring/new-rule.ts');
        finish(await newRule(id, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['new-rule team/no-log', 'create lint-rules/no-log.ts and its test'],
    ['new-rule team/no-log --directory tools/rules', 'use another directory'],
  ],
};
