import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '@tollgate/edge-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';

const COMMAND = await installedCommand();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-serve-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** A server process, and what it printed before its first response. */
interface Served {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  readonly url: string;
}

/** The end of the greeting: how to create a key, or a request to try. */
const LAST_LINE = /to create one$|created earlier|^ +-d /;

async function served(...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', ...args], { env: {} });
  const lines: string[] = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  return await new Promise<Served>((resolve, reject) => {
    let url = '';
    createInterface(child.stdout).on('line', line => {
      lines.push(line);
      const found = / at (http:\S+)$/.exec(line);
      if (found) url = found[1]!;
      if (LAST_LINE.test(line)) resolve({ process: child, lines, url });
    });
    child.once('exit', code => reject(new Error(`exit ${code}: ${errors}`)));
  });
}

async function stopped({ process: child }: Served): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exit;
  return code;
}

function tollgate(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8', env: {} });
  return { code: status, out: stdout, err: stderr.replaceAll(folder, '…') };
}

describe('tollgate serve', () => {
  it('prints a key and a working command line in development', async () => {
    const server = await served('--development', '--database', join(folder, 'dev.db'));
    const text = server.lines.join('\n');
    const curl = text.slice(text.indexOf('curl')).replace('curl', 'curl -s -w "\\n%{http_code}"');
    const { stdout } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' });
    const [body = '', status] = stdout.split('\n');
    expect([status, JSON.parse(body).hostports]).toEqual(['201', ['shop.example:443']]);
    expect(await stopped(server)).toBe(0);
  });

  it('keeps its data when it is started again, and then prints no key', async () => {
    const server = await served('--development', '--database', join(folder, 'dev.db'));
    expect(server.lines.join('\n')).toContain('created earlier');
    expect(server.lines.join('\n')).not.toContain('curl');
    const { out: token } = tollgate('keys', 'create', '--database', join(folder, 'dev.db'), '--scope', 'read');
    const headers = { authorization: `Bearer ${token.trim()}`, 'service-version': '2' };
    const list = await fetch(`${server.url}/edges/https`, { headers });
    expect(await list.json()).toMatchObject({ https_edges: [{ hostports: ['shop.example:443'] }] });
    const denied = await fetch(`${server.url}/edges/https`, { method: 'POST', headers });
    expect(await denied.json()).toMatchObject({ status_code: 403, error_code: 'ERR_EDGE_205' });
    expect(await stopped(server)).toBe(0);
  });

  it('reads its settings again on SIGHUP, and keeps them if they are invalid', async () => {
    const config = join(folder, 'reload.yaml');
    writeFileSync(config, 'logLevel: info\nrateLimit: 100\n');
    const server = await served('--config', config, '--database', join(folder, 'reload.db'));
    let errors = '';
    server.process.stderr?.on('data', data => {
      errors += data;
    });
    const reload = async (text: string, expected: string) => {
      writeFileSync(config, text);
      server.process.kill('SIGHUP');
      await eventually(() => errors.includes(expected));
    };
    await reload('logLevel: warn\nhost: 127.0.0.2\n', 'settings reloaded; changed: rateLimit, logLevel\n');
    await eventually(() => errors.includes('restart to change: host\n'));
    await reload('logLevel: loud\n', 'the previous settings stay in use\n');
    expect(errors).toContain('reload.yaml:1:11: `logLevel`: expected one of');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await stopped(server)).toBe(0);
  });

  it('says how to create a key if there is none', async () => {
    const database = join(folder, 'new.db');
    const server = await served('--database', database);
    expect(server.lines.join('\n')).toContain('none yet; run `tollgate keys create` to create one');
    expect(await stopped(server)).toBe(0);
  });

  it('exits with 3 and one line if it cannot start', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    writeFileSync(join(folder, 'text.db'), 'this is no database. '.repeat(100));
    writeFileSync(join(folder, 'bad.yaml'), 'prot: 80\n');
    const serve = (...args: readonly string[]) => tollgate('serve', ...args);
    const inFolder = (name: string) => join(folder, name);
    expect([
      serve('--port', port, '--database', inFolder('port.db')),
      serve('--database', inFolder('text.db')),
      serve('--database', inFolder('none/x.db')),
      serve('--config', inFolder('bad.yaml')),
      serve('--config', inFolder('none.yaml')),
      serve('--database', 'postgres://me:hush@127.0.0.1:1/x', '--secret-key-file', inFolder('port.db.key')),
      serve('--port', 'many'),
    ]).toEqual([
      { code: 3, out: '', err: `tollgate: cannot listen on 127.0.0.1:${port}: the port is in use\n` },
      { code: 3, out: '', err: 'tollgate: `…/text.db` is not a Tollgate database\n' },
      {
        code: 3,
        out: '',
        err: expect.stringMatching(/^tollgate: cannot [^\n]*`…\/none\/x\.db[^\n]*no such directory\n$/),
      },
      { code: 3, out: '', err: 'tollgate: …/bad.yaml:1:7: unknown setting `prot`\n' },
      {
        code: 3,
        out: '',
        err: expect.stringMatching(/^tollgate: cannot read the settings `…\/none.yaml`: no such file\n$/),
      },
      {
        code: 3,
        out: '',
        err: 'tollgate: cannot reach the database 127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1\n',
      },
      { code: 3, out: '', err: 'tollgate: `--port`: expected a whole number from 0 to 65535, found `many`\n' },
    ]);
    holder.close();
  });
});

describe('tollgate keys', () => {
  it('creates, lists and revokes keys, and never shows one again', async () => {
    const name = join(folder, 'keys.db');
    const database = ['--database', name];
    const missing = tollgate('keys', 'create', ...database);
    expect([missing.code, missing.err]).toEqual([3, expect.stringContaining('does not exist; name an existing one')]);
    expect(existsSync(name)).toBe(false);
    await (await openStore(name)).close();
    const made = tollgate('keys', 'create', ...database, '--description', 'deployments', '--expires', '2099-01-01');
    const token = made.out.trim();
    const id = `ak_${token.slice(0, 27)}`;
    expect([made.code, made.err]).toEqual([
      0,
      `created key \`${id}\`; store the token safely, it is shown only once:\n`,
    ]);
    const listed = tollgate('keys', 'list', ...database);
    expect(listed.out).toMatch(
      new RegExp(`^  ${id}  read, write  created \\S+Z  expires 2099-01-01T00:00:00Z  deployments\n$`),
    );
    expect(listed.out).not.toContain(token.slice(28));
    expect(tollgate('keys', 'revoke', id, ...database)).toMatchObject({ code: 0, out: `revoked \`${id}\`\n` });
    expect(tollgate('keys', 'revoke', id, ...database).code).toBe(1);
    expect(tollgate('keys', 'list', ...database).out).toBe('no keys\n');
    const lines = tollgate('store', 'changes', ...database, '--since', '1h', '--format', 'jsonl')
      .out.trim()
      .split('\n');
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { operation: 'ApiKeysDelete', resource: id, key: null, before: { description: 'deployments' }, after: null },
      { operation: 'ApiKeysCreate', resource: id, key: null, before: null, after: { description: 'deployments' } },
    ]);
    expect(tollgate('store', 'changes', ...database, '--limit', '1').out).toMatch(
      new RegExp(`^  \\S+Z  ApiKeysDelete  ${id}  command line *\\n$`),
    );
  });
});

describe('tollgate events', () => {
  it('lists undelivered events, and sends them again', async () => {
    const name = join(folder, 'events.db');
    const database = ['--database', name];
    const server = await served(...database, '--event-tries', '1', '--private-destinations');
    const { out: token } = tollgate('keys', 'create', ...database);
    const headers = {
      authorization: `Bearer ${token.trim()}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    const post = async (path: string, body: object): Promise<string> => {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return String(((await answer.json()) as { id?: string }).id);
    };
    const target = { http: { url: 'http://127.0.0.1:1/' } };
    const destination = await post('/event_destinations', { format: 'json', target });
    const sources = [{ type: 'ip_policy_created.v0' }];
    await post('/event_subscriptions', { sources, destination_ids: [destination] });
    expect(tollgate('events', 'dead', ...database).out).toBe('no undelivered events\n');
    const policy = await post('/ip_policies', {});
    await eventually(() => tollgate('events', 'dead', ...database).out !== 'no undelivered events\n');
    const expected = new RegExp(
      `^  1  ip_policy_created.v0  ${policy}  to ${destination}  given up at \\S+Z after 1 attempt  connect ECONNREFUSED 127.0.0.1:1\n$`,
    );
    expect(tollgate('events', 'dead', ...database).out).toMatch(expected);
    expect(tollgate('events', 'requeue', '7', ...database).code).toBe(1);
    expect(tollgate('events', 'requeue', ...database).out).toBe('1 event queued for delivery\n');
    expect(await stopped(server)).toBe(0);
  });
});
