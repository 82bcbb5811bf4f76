import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerSettings, type SettingSources } from './read-settings.ts';
import { SERVER_SETTINGS, validateSetting } from './settings.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-settings-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'server.yaml');
  writeFileSync(path, text);
  return path;
}

function read(sources: Partial<SettingSources>) {
  return readServerSettings({ flags: {}, env: {}, file: undefined, ...sources });
}

function faultsOf(sources: Partial<SettingSources>): string {
  try {
    read(sources);
    return '';
  } catch (error) {
    return String(error).replaceAll(folder, '…');
  }
}

describe('the settings of the server', () => {
  it('have defaults of the right type', () => {
    for (const { name, type, default: value } of SERVER_SETTINGS) {
      expect([name, value === '' || 'value' in validateSetting(type, value)]).toEqual([name, true]);
    }
    expect(read({})).toMatchObject({ host: '127.0.0.1', port: 7373, versionHeaders: ['Service-Version'] });
  });

  it('are taken from the command line before the environment and the file', () => {
    const sources = {
      file: file('port: 1\nhost: a\nerrorPrefix: ERR_X_\nversionHeaders: [Service-Version, Other-Version]\n'),
      env: { TOLLGATE_PORT: '2', TOLLGATE_HOST: 'b', TOLLGATE_CORS_ORIGINS: 'https://a.example, https://b.example' },
      flags: { port: '3', development: true },
    };
    expect(read(sources)).toMatchObject({
      port: 3,
      host: 'b',
      errorPrefix: 'ERR_X_',
      development: true,
      versionHeaders: ['Service-Version', 'Other-Version'],
      corsOrigins: ['https://a.example', 'https://b.example'],
    });
  });

  it('are rejected with all faults and their positions', () => {
    const sources = {
      file: file('port: many\nhots: a\nbasePath: v1\nversionHeaders: Service-Version\ndevelopment: "yes"\n'),
      env: { TOLLGATE_RATE_LIMIT: '-1', TOLLGATE_LOG_LEVEL: 'loud' },
      flags: { publicUrl: 'ftp://x', maxBodyBytes: '1e9' },
    };
    expect(faultsOf(sources).split('\n')).toEqual([
      'ExternalError: …/server.yaml:1:7: `port`: expected a whole number from 0 to 65535, found `many`',
      'tollgate: …/server.yaml:2:7: unknown setting `hots`',
      'tollgate: …/server.yaml:3:11: `basePath`: expected a path such as `/v1`, found `v1`',
      'tollgate: …/server.yaml:4:17: `versionHeaders`: expected a list of header names, found `Service-Version`',
      'tollgate: …/server.yaml:5:14: `development`: expected `true` or `false`, found `yes`',
      'tollgate: `--public-url`: expected an `http:` or `https:` URL without a query, found `ftp://x`',
      'tollgate: `--max-body-bytes`: expected a whole number from 1024 to 67108864, found `1e9`',
      'tollgate: `TOLLGATE_RATE_LIMIT`: expected a whole number from 0 to 10000000, found `-1`',
      'tollgate: `TOLLGATE_LOG_LEVEL`: expected one of `debug`, `info`, `warn`, `error`, `silent`, found `loud`',
    ]);
  });

  it.each([
    ['{', /^ExternalError: …\/server\.yaml:1:2: /],
    ['- a', /^ExternalError: …\/server\.yaml:1:1: expected a mapping of settings, found a list$/],
    ['text', /expected a mapping of settings, found `text`$/],
  ])('are rejected as the file %j', (text, message) => {
    expect(faultsOf({ file: file(text) })).toMatch(message);
  });

  it('report an unreadable file', () => {
    expect(faultsOf({ file: join(folder, 'none') })).toMatch(
      /^ExternalError: cannot read the settings `…\/none`: no such file/,
    );
  });
});
