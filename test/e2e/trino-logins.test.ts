import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTrino } from '../../packages/query/src/engines/trino.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-trino-logins-'));
const file = (name: string) => join(folder, name);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function openssl(...args: readonly string[]): void {
  expect(spawnSync('openssl', args, { cwd: folder }).status).toBe(0);
}

/** Makes a certificate that an authority signed: its own, if it has the same name. */
function certificate(name: string, authority: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  if (name === authority) {
    openssl('req', '-x509', ...key, '-days', '30', '-subj', `/CN=${name}`, '-out', `${name}.pem`);
    return;
  }
  writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1');
  openssl('req', ...key, '-subj', `/CN=${name}`, '-out', `${name}.csr`);
  const by = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-days', '30', '-out', `${name}.pem`);
}

/** Who sent a request, as the server knows it: the subject of a certificate, or a token. */
const seen: string[] = [];
let answer: (
  request: IncomingMessage,
  who: string,
) => { readonly status?: number; readonly body: unknown; readonly wanted?: string };
const ROWS = { body: { id: 'q', columns: [{ name: 'n', type: 'bigint' }], data: [[1]], stats: {} } };

const respond = (request: IncomingMessage, response: ServerResponse) => {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  const who = String(subject?.CN ?? request.headers.authorization ?? 'nobody');
  seen.push(`${request.method} ${request.url} ${who}`);
  const { status = 200, body, wanted } = answer(request, who);
  response.writeHead(status, wanted === undefined ? {} : { 'WWW-Authenticate': wanted });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

describe.skipIf(!hasOpenssl)('a coordinator with TLS', () => {
  let server: ReturnType<typeof createServer>;
  let place = '';

  beforeAll(async () => {
    certificate('authority', 'authority');
    certificate('other', 'other');
    for (const name of ['server', 'ada']) certificate(name, 'authority');
    certificate('eve', 'other');
    const [cert, key, ca] = ['server.pem', 'server.key', 'authority.pem'].map(name => readFileSync(file(name)));
    server = createServer({ cert: cert!, key: key!, ca: ca!, requestCert: true, rejectUnauthorized: false }, respond);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    seen.length = 0;
    answer = () => ROWS;
  });

  const url = (given: Readonly<Record<string, string>>, user = '') =>
    `https://${user}${place}/hive/logs?${new URLSearchParams({ sslrootcert: file('authority.pem'), ...given })}`;
  const ada = () => ({ sslcert: file('ada.pem'), sslkey: file('ada.key') });

  it('gets the certificate of the client', async () => {
    await openTrino(url(ada()));
    expect(seen).toEqual(['POST /v1/statement ada']);
  });

  it('is not trusted without its authority', async () => {
    await expect(openTrino(`https://${place}/hive/logs`)).rejects.toMatchObject({
      message: `cannot reach Trino at ${place}: self-signed certificate in certificate chain`,
    });
    expect(seen).toEqual([]);
  });

  it.each([
    [
      'a file that is missing',
      { sslcert: 'missing.pem', sslkey: 'missing.key' },
      'cannot read `missing.pem`, which `sslcert` names: no such file',
    ],
    [
      'a certificate without its key',
      { sslcert: 'ada.pem' },
      'a certificate of the client takes both `sslcert` and `sslkey`',
    ],
  ])('gets no request with %s', async (_, { sslcert, ...given }, reason) => {
    const own = sslcert === 'ada.pem' ? file(sslcert) : sslcert;
    await expect(openTrino(url({ sslcert: own, ...given }))).rejects.toMatchObject({
      message: `cannot reach Trino at ${place}: ${reason}`,
    });
    await expect(openTrino(`http://${place}/?sslcert=ada.pem`)).rejects.toMatchObject({
      message: `cannot reach Trino at ${place}: \`sslcert\` needs \`https\``,
    });
    expect(seen).toEqual([]);
  });

  it('says in one line that the certificate is not accepted', async () => {
    answer = (_, who) => (who === 'ada' ? ROWS : { status: 401, body: 'Unauthorized' });
    const eve = { sslcert: file('eve.pem'), sslkey: file('eve.key') };
    await expect(openTrino(url(eve))).rejects.toMatchObject({ message: 'Trino failed: status 401: Unauthorized' });
  });

  /** As Trino asks for a login at another service (https://trino.io/docs/current/security/oauth2.html). */
  const wanted = () =>
    `Bearer x_redirect_server="https://${place}/oauth2/token/initiate/1", x_token_server="https://${place}/oauth2/token/1"`;

  it('lets a person log in with a browser, also again when the token is too old', async () => {
    let [valid, asked] = ['first', 0];
    answer = ({ url: path, method }, who) => {
      if (path === '/oauth2/token/1' && method === 'DELETE') return { body: {} };
      if (path === '/oauth2/token/1') return { body: { nextUri: `https://${place}/oauth2/token/2` } };
      if (path === '/oauth2/token/2') return asked++ === 0 ? { status: 503, body: '' } : { body: { token: valid } };
      return who === `Bearer ${valid}` ? ROWS : { status: 401, body: 'Unauthorized', wanted: wanted() };
    };
    const places: string[] = [];
    const session = await openTrino(url({}), undefined, { onLogin: one => places.push(one) });
    const login = [
      ...['POST /v1/statement nobody', 'GET /oauth2/token/1 nobody', 'GET /oauth2/token/2 nobody'],
      ...['GET /oauth2/token/2 nobody', 'DELETE /oauth2/token/1 Bearer first', 'POST /v1/statement Bearer first'],
    ];
    expect(seen).toEqual(login);
    valid = 'second';
    for await (const rows of session.batches('select n')) expect(rows).toEqual([['1']]);
    expect(places).toEqual(Array(2).fill(`https://${place}/oauth2/token/initiate/1`));
    expect(seen.at(-1)).toBe('POST /v1/statement Bearer second');
  });

  it('says in one line that a login failed, or that nobody is there', async () => {
    answer = ({ url: path }) =>
      path === '/v1/statement'
        ? { status: 401, body: 'Unauthorized', wanted: wanted() }
        : { body: { error: 'access_denied' } };
    await expect(openTrino(url({}), undefined, { onLogin: () => undefined })).rejects.toMatchObject({
      message: 'Trino failed: the login failed: access_denied',
    });
    await expect(openTrino(url({}))).rejects.toMatchObject({
      message:
        'Trino failed: the server wants a login in a browser; run the command in a terminal, or set `TRINO_ACCESS_TOKEN`',
    });
    await expect(openTrino(url({}, 'ada:wrong@'), undefined, { onLogin: () => undefined })).rejects.toMatchObject({
      message: 'Trino failed: status 401: Unauthorized',
    });
  });

  it('is not asked for a token again and again', async () => {
    answer = ({ url: path }) =>
      path === '/oauth2/token/1' ? { body: { token: 'old' } } : { status: 401, body: 'Expired', wanted: wanted() };
    await expect(openTrino(url({}), undefined, { onLogin: () => undefined })).rejects.toMatchObject({
      message: 'Trino failed: status 401: Expired',
    });
    expect(seen.length).toBe(4);
  });
});
