import { Option } from 'commander';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate doctor`: shows versions and settings. */
export const DOCTOR: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('doctor'), HELP)
      .summary('show versions, settings and where they come from')
      .description(
        'Shows versions, the settings in force and where each comes from, which code may run, caches, and which optional ' +
          'packages are installed. Runs no code of the project.',
      )
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { runDoctor } = await import('../../doctor/run-doctor.ts');
        finish(await runDoctor(options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['doctor', 'what applies in the working directory'],
    ['doctor --format json', 'the same for programs'],
  ],
  clean: 'no problems',
  findings: 'problems in settings or trust',
};
