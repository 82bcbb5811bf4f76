import { Option } from 'commander';
import { addServerOptions } from '../server/server-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

const SCOPES = ['read', 'write', 'admin'];

/** `tollgate keys`: the API keys of a server, on its database. */
export const KEYS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const keys = addHelp(program.command('keys'), HELP).summary(
      'make, list and revoke API keys of the server, on its database',
    );
    addServerOptions(keys.command('create'), ['database'])
      .summary('make a key and print it, this once')
      .addOption(new Option('--description <text>', 'what the key is for').default(''))
      .addOption(
        new Option('--scope <scope...>', 'what the key may do: read, change, or manage keys too')
          .choices(SCOPES)
          .default(['read', 'write']),
      )
      .addOption(new Option('--expires <when>', 'a date, or how long from now: `90d`, `12h`'))
      .action(async options => {
        const { createApiKey } = await import('../server/manage-keys.ts');
        finish(await createApiKey(options, terminal));
      });
    addServerOptions(keys.command('list'), ['database'])
      .summary('list the keys; never what they are')
      .addOption(new Option('--format <format>', 'how to list them').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { listApiKeys } = await import('../server/manage-keys.ts');
        finish(await listApiKeys(options, terminal));
      });
    addServerOptions(keys.command('revoke <id>'), ['database'])
      .summary('revoke a key; servers notice within a second')
      .action(async (id: string, options) => {
        const { revokeApiKey } = await import('../server/manage-keys.ts');
        finish(await revokeApiKey(id, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['keys create --scope read --expires 90d --description CI', 'prints the key, this once'],
    ['keys list --database tollgate.db', 'all keys, without what they are'],
    ['keys revoke ak_2cSjwFetn8PAuAdqWYSMnLOvBYX', 'servers notice within a second'],
  ],
  clean: 'done',
  findings: 'there is no such key',
  external: 'the database is unavailable',
};
