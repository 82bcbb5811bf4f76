import { Option } from 'commander';
import { addServerOptions } from '../../server/server-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

const SCOPES = ['read', 'policy', 'write', 'admin'];

/** `tollgate keys`: manages the API keys of a server, directly in its database. */
export const KEYS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const keys = addHelp(program.command('keys'), HELP).summary(
      'create, list and revoke API keys of the server, and rotate its encryption keys',
    );
    addServerOptions(keys.command('create'), ['database'])
      .summary('create a key and print it; it is shown only once')
      .addOption(new Option('--description <text>', 'what the key is for').default(''))
      .addOption(
        new Option(
          '--scope <scope...>',
          'permissions of the key: `policy` may change policies of edges, `write` everything, `admin` also keys',
        )
          .choices(SCOPES)
          .default(['read', 'write']),
      )
      .addOption(new Option('--edge <id...>', 'limit the key to these edges and their routes'))
      .addOption(new Option('--expires <when>', 'expiry: a date, or a duration such as `90d` or `12h`'))
      .action(async options => {
        const { createApiKey } = await import('../../server/manage-keys.ts');
        finish(await createApiKey(options, terminal));
      });
    addServerOptions(keys.command('list'), ['database'])
      .summary('list keys, without their secrets')
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { listApiKeys } = await import('../../server/manage-keys.ts');
        finish(await listApiKeys(options, terminal));
      });
    addServerOptions(keys.command('revoke <id>'), ['database'])
      .summary('revoke a key; takes effect within a second')
      .action(async (id: string, options) => {
        const { revokeApiKey } = await import('../../server/manage-keys.ts');
        finish(await revokeApiKey(id, options, terminal));
      });
    addServerOptions(keys.command('rotate-encryption'), ['database', 'secretKeyFile'])
      .summary('encrypt all secrets with the first encryption key')
      .addOption(new Option('--give-up-lost-keys', 'go on without keys that are lost; their secrets read as null'))
      .action(async options => {
        const { rotateEncryptionKeys } = await import('../../server/manage-keys.ts');
        finish(await rotateEncryptionKeys(options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['keys create --scope read --expires 90d --description CI', 'create a read-only key that expires'],
    ['keys create --scope read policy --edge edghts_2cSjwFetn8PAuAd', 'for publishing to one edge'],
    ['keys list --database tollgate.db', 'list the keys in a database'],
    ['keys rotate-encryption --secret-key-file secrets.key', 'encrypt all secrets with the first key of the file'],
    ['keys revoke ak_2cSjwFetn8PAuAdqWYSMnLOvBYX', 'takes effect within a second'],
  ],
  clean: 'done',
  findings: 'no such key',
  external: 'the database is unavailable',
};
