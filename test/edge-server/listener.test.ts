import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { readServerSettings } from '@tollgate/edge-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer } from './test-server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-listener-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Writes a certificate of its own and its key; returns their paths as settings. */
function certificate(name: string) {
  const [tlsCertFile, tlsKeyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  const made = spawnSync('openssl', [...args, ...names, '-keyout', tlsKeyFile, '-out', tlsCertFile]);
  expect(made.status).toBe(0);
  return { tlsCertFile, tlsKeyFile };
}

/** The common name of the certificate that a server presents to a new connection. */
async function presented(url: string): Promise<string> {
  const { port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const raw = socket.getPeerX509Certificate()?.raw;
      socket.destroy();
      resolve(raw ? new X509Certificate(raw).subject : '');
    });
    socket.once('error', reject);
  });
}

describe.skipIf(!hasOpenssl)('a TLS listener', () => {
  it('uses a renewed certificate for new connections, and keeps the old one while the files do not match', async () => {
    const files = certificate('first');
    const server = await startTestServer({ ...files, logLevel: 'info' });
    expect(server.url).toMatch(/^https:/);
    expect(await presented(server.url)).toBe('CN=first');
    const second = certificate('second');
    writeFileSync(files.tlsCertFile, readFileSync(second.tlsCertFile));
    await eventually(() => server.log.join().includes('the previous one stays in use'));
    expect(await presented(server.url)).toBe('CN=first');
    writeFileSync(files.tlsKeyFile, readFileSync(second.tlsKeyFile));
    await eventually(async () => (await presented(server.url)) === 'CN=second');
    expect(server.log.join()).not.toContain('PRIVATE KEY');
    await server.stop();
  });

  it('answers with URIs of its scheme', async () => {
    const server = await startTestServer(certificate('uri'));
    const headers = { authorization: `Bearer ${server.token}`, 'service-version': '2' };
    const sent = requestTls(`${server.url}/ip_policies`, { headers, rejectUnauthorized: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toMatchObject({ uri: `${server.url}/ip_policies` });
    await server.stop();
  });

  it('is refused with one line if the files are missing, incomplete or do not match', async () => {
    const one = certificate('one');
    const other = certificate('other');
    for (const [settings, message] of [
      [{ tlsCertFile: one.tlsCertFile }, /^TLS needs both/],
      [{ ...one, tlsKeyFile: other.tlsKeyFile }, /are not a certificate and its key: ERR_OSSL\w+$/],
      [{ ...one, tlsKeyFile: join(folder, 'none') }, /^cannot read `.*none`: no such file$/],
    ] as const) {
      await expect(startTestServer(settings)).rejects.toThrow(message);
    }
  });
});

describe('a Unix socket', () => {
  const get = async (path: string) => {
    const sent = request({ socketPath: path, path: '/healthz' }).end();
    return await new Promise<string>((resolve, reject) => {
      sent.once('response', response => void text(response).then(resolve));
      sent.once('error', reject);
    });
  };

  it('takes requests of the owner and the group, also where a killed process has left it', async () => {
    const socket = join(folder, 'edge.sock');
    // A process that is killed leaves its socket.
    const script = `require('node:net').createServer().listen('${socket}', () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    expect(statSync(socket).isSocket()).toBe(true);
    const server = await startTestServer({ socket });
    expect(server.url).toBe(`unix:${socket}`);
    expect(await get(socket)).toBe('{"status":"ok"}');
    expect(statSync(socket).mode & 0o777).toBe(0o660);
    await server.stop();
  });

  it('is not taken from another process', async () => {
    const socket = join(folder, 'edge.sock');
    const holder = createServer().listen(socket);
    await eventually(() => holder.listening);
    await expect(startTestServer({ socket })).rejects.toThrow(
      `cannot listen on \`${socket}\`: another process listens there`,
    );
    holder.close();
  });
});

describe('a reload', () => {
  it('applies limits and the log level, and names what needs a restart', async () => {
    const server = await startTestServer({ logLevel: 'error' });
    const before = readServerSettings({ flags: {}, env: {}, file: undefined });
    await server.call('GET', '/ip_policies');
    expect(server.log).toEqual([]);
    const next = { ...before, requestTimeout: 3600, port: 0, database: join(server.folder, 'test.db') };
    const reloaded = server.server.reload({ ...next, logLevel: 'info', rateLimit: 2, host: '127.0.0.2' });
    expect(reloaded).toEqual({ applied: ['rateLimit', 'logLevel'], needRestart: ['host'] });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await server.call('GET', '/ip_policies')).status);
    expect(statuses).toEqual([200, 200, 429]);
    await eventually(() => server.log.length > 0);
    await server.stop();
  });
});
