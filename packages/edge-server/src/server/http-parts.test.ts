import { describe, expect, it } from 'vitest';
import { createBaseUrl } from './http-parts.ts';

describe('the base URL', () => {
  const settings = { publicUrl: '', basePath: '/v1', trustProxy: false, tlsCertFile: '' };

  it('follows the Host header of each request, for any number of hosts', () => {
    const baseUrl = createBaseUrl(settings);
    const hosts = Array.from({ length: 1500 }, (_, index) => `h${index}.example:7373`);
    expect(hosts.map(host => baseUrl({ host }))).toEqual(hosts.map(host => `http://${host}/v1`));
  });

  it.each(['', '"><script>', 'a.example/x', 'a.example:123456'])('ignores the invalid host `%s`', host => {
    expect(createBaseUrl(settings)({ host })).toBe('http://localhost/v1');
  });

  it('trusts a proxy only if configured', () => {
    const headers = { host: 'a.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'b.example' };
    expect(createBaseUrl(settings)(headers)).toBe('http://a.example/v1');
    expect(createBaseUrl({ ...settings, trustProxy: true })(headers)).toBe('https://b.example/v1');
  });
});
