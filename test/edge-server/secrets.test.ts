import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

const SECRETS = [
  'hush-webhook',
  'hush-oauth',
  'hush-oidc',
  'hush-datadog',
  'hush-signature',
  'hush-wrong',
  'hush-broken',
];
let server: TestServer;
let route: string;

beforeAll(async () => {
  server = await startTestServer({ eventsFolder: 'unused', development: true, logLevel: 'debug' });
  const edge = await server.call('POST', '/edges/https', { body: {} });
  const made = await server.call('POST', `/edges/https/${textOf(edge, 'id')}/routes`, {
    body: { match_type: 'path_prefix', match: '/' },
  });
  route = `/edges/https/${textOf(edge, 'id')}/routes/${textOf(made, 'id')}`;
});

afterAll(() => server.stop());

/** Everything below the folder of the server, as bytes. */
function files(): string {
  const names = readdirSync(server.folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return names.map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

function leaked(text: string): readonly string[] {
  return [...SECRETS, server.token, server.token.slice(28)].filter(secret => text.includes(secret));
}

describe('secrets', () => {
  it('come back in their modules only, and are nowhere in the files, logs, errors and events', async () => {
    const events = ['https_edge_route_updated.v0', 'event_destination_created.v0', 'api_key_created.v0'];
    const target = await server.call('POST', '/event_destinations', {
      body: { format: 'json', target: { stdout: {} } },
    });
    const subscription = { sources: events.map(type => ({ type })), destination_ids: [textOf(target, 'id')] };
    await server.call('POST', '/event_subscriptions', { body: subscription });

    const webhook = await server.call('PUT', `${route}/webhook_verification`, {
      body: { provider: 'slack', secret: 'hush-webhook' },
    });
    const provider = { github: { client_id: 'me', client_secret: 'hush-oauth', scopes: ['user'] } };
    const oauth = await server.call('PUT', `${route}/oauth`, { body: { provider } });
    await server.call('DELETE', `${route}/oauth`);
    const oidc = await server.call('PUT', `${route}/oidc`, {
      body: { issuer: 'https://id.example', client_id: 'me', client_secret: 'hush-oidc' },
    });
    expect([webhook.text, oauth.text, oidc.text].flatMap(leaked)).toEqual(['hush-webhook', 'hush-oauth', 'hush-oidc']);
    expect(leaked((await server.call('GET', route)).text)).toEqual(['hush-webhook', 'hush-oidc']);

    const others = [
      await server.call('POST', '/event_destinations', {
        body: { format: 'json', target: { datadog: { api_key: 'hush-datadog' } } },
      }),
      await server.call('POST', '/event_destinations', {
        body: { format: 'json', target: { http: { url: 'https://hook.example/', secret: 'hush-signature' } } },
      }),
      await server.call('PUT', `${route}/webhook_verification`, { body: { provider: 'sns', secret: 'hush-wrong' } }),
      await server.call('PUT', `${route}/webhook_verification`, {
        body: { provider: 'slack', secret: { 'hush-wrong': 1 } },
      }),
      await server.call('PUT', `${route}/webhook_verification`, { body: '{"provider":"slack","secret":"hush-broken' }),
      await server.call('GET', route, { headers: { authorization: 'Bearer hush-wrong' } }),
    ];
    expect(others.map(({ status }) => status)).toEqual([201, 201, 400, 400, 400, 403]);
    expect(leaked(others.map(({ text }) => text).join())).toEqual([]);

    const key = await server.call('POST', '/api_keys', { body: { description: 'another' } });
    const token = textOf(key, 'token');
    await eventually(() => server.lines.length === 7);
    expect(leaked(server.lines.join())).toEqual([]);
    expect(leaked(files())).toEqual([]);
    expect(leaked(server.log.join())).toEqual([]);
    expect(files() + server.lines.join() + server.log.join()).not.toContain(token.slice(28));
    expect((await server.call('GET', `/api_keys/${textOf(key, 'id')}`)).body).toMatchObject({ token: null });
  });
});
