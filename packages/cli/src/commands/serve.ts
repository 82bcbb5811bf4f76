import { addServerOptions } from '../server/server-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate serve`: the Edge Configuration API as a service. */
export const SERVE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addServerOptions(program.command('serve')), HELP)
      .summary('run the Edge Configuration API, which policies are published to')
      .description(
        'Runs the Edge Configuration API over an SQLite file or a PostgreSQL database, until it is told to stop. ' +
          '`tollgate serve --development` is all that it takes to try it. Each setting can also be given by the variable ' +
          'in brackets, or by its name in the settings file (`maxBodyBytes: 65536`).',
      )
      .action(async options => {
        const { serve } = await import('../server/serve.ts');
        finish(await serve(options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['serve --development', 'try it: prints an API key and a command line that works'],
    ['serve --database postgres://127.0.0.1/tollgate --secret-key-file key', 'one of several processes'],
    ['serve --config server.yaml --port 8080', 'settings of a file, of which one is overridden'],
  ],
  clean: 'stopped',
  external: 'the settings are wrong, or the port, database or key is unavailable',
};
