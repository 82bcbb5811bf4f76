import { addServerOptions } from '../server/server-options.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `tollgate serve`: the Edge Configuration API as a service. */
export const SERVE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addServerOptions(program.command('serve'))
      .summary('run the Edge Configuration API, which policies are published to')
      .description(
        'Runs the Edge Configuration API over an SQLite file or a PostgreSQL database, until it is told to stop. ' +
          '`tollgate serve --development` is all that it takes to try it.',
      )
      .addHelpText(
        'after',
        '\nEach setting can also be given by the variable in brackets, or by its name in the settings file (`maxBodyBytes: 65536`).' +
          '\n\nExit codes: 0 stopped, 2 wrong usage, 3 bad settings, or no port, database or key to be had, 70 a defect of Tollgate.',
      )
      .action(async options => {
        const { serve } = await import('../server/serve.ts');
        finish(await serve(options, terminal));
      });
  },
};
