import { expect, it } from 'vitest';
import { startTestServer } from './test-server.ts';

it('lets pages of allowed origins in, and no others', async () => {
  const named = await startTestServer({ corsOrigins: ['https://console.example'] });
  const preflight = (origin: string) =>
    fetch(`${named.url}/edges/https`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' },
    });
  const { status, headers } = await preflight('https://console.example');
  const allowed = ['origin', 'methods', 'headers'].map(name => headers.get(`access-control-allow-${name}`));
  expect([status, ...allowed]).toEqual([204, 'https://console.example', 'POST, GET', 'x-a']);
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  await named.stop();
});

it('lets pages of all origins in without credentials, unless they are named', async () => {
  const open = await startTestServer({ corsOrigins: ['*', 'https://console.example'] });
  const shown = async (origin: string) => {
    const { headers } = await open.call('GET', '/edges/https', { headers: { origin } });
    return ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'].map(name => headers.get(name));
  };
  expect(await shown('https://any.example')).toEqual(['*', null, 'Origin']);
  expect(await shown('https://console.example')).toEqual(['https://console.example', 'true', 'Origin']);
  await open.stop();
});
