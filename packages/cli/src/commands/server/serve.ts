import { addServerOptions } from '../../server/server-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate serve`: runs the Edge Configuration API. */
export const SERVE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addServerOptions(program.command('serve')), HELP)
      .summary('run the Edge Configuration API server')
      .description(
        'Runs the Edge Configuration API, which policies are published to, on an SQLite or PostgreSQL database. To try it, run ' +
          '`tollgate serve --development`. Each option can also be set by the environment variable in brackets, or in the ' +
          'settings file (`maxBodyBytes: 65536`).',
      )
      .action(async options => {
        const { serve } = await import('../../server/serve.ts');
        finish(await serve(options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['serve --development', 'try it: prints an API key and a `curl` command'],
    [
      'serve --database postgres://127.0.0.1/tollgate --secret-key-file key',
      'one of several processes on a shared database',
    ],
    ['serve --config server.yaml --port 8080', 'read settings from a file, and override one'],
  ],
  clean: 'stopped',
  external: 'invalid settings, or the port, database or key is unavailable',
};
