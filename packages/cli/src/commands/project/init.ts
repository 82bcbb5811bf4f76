import { Option } from 'commander';
import { CI_RECIPES, EDITOR_SETTINGS } from '../../init/setup-recipes.ts';
import { TEMPLATE_NAMES } from '../../init/templates/policy-templates.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate init`: sets up a project. */
export const INIT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('init'), HELP)
      .summary('set up a project')
      .description(
        'Writes `tollgate.yaml`, a first policy with tests, and files for your CI and editor. Asks what you need, unless options ' +
          'say it. Existing files are never changed.',
      )
      .argument('[directory]', 'directory of the project', '.')
      .addOption(
        new Option('-t, --template <name...>', 'what the policy is for; repeatable').choices([...TEMPLATE_NAMES]),
      )
      .addOption(new Option('--ci <service...>', 'add a file for CI').choices(CI_RECIPES.map(({ name }) => name)))
      .addOption(
        new Option('--editor <name...>', 'add a file for an editor').choices(EDITOR_SETTINGS.map(({ name }) => name)),
      )
      .action(async (directory: string, options) => {
        const { initProject } = await import('../../init/init-project.ts');
        finish(await initProject(directory, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['init', 'ask what to set up'],
    ['init --template api --ci github', 'an API with JSON Web Tokens, checked by GitHub Actions'],
  ],
  clean: 'set up',
};
