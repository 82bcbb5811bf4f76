import { describe, expect, it } from 'vitest';
import { createBaseUrl } from './base-url.ts';

describe('the base of URIs', () => {
  const settings = { publicUrl: '', basePath: '/v1', trustProxy: false };

  it('is what each request was sent to, however many hosts there were before', () => {
    const baseUrl = createBaseUrl(settings);
    const hosts = Array.from({ length: 1500 }, (_, index) => `h${index}.example:7373`);
    expect(hosts.map(host => baseUrl({ host }))).toEqual(hosts.map(host => `http://${host}/v1`));
  });

  it.each(['', '"><script>', 'a.example/x', 'a.example:123456'])('is not made of the host `%s`', host => {
    expect(createBaseUrl(settings)({ host })).toBe('http://localhost/v1');
  });

  it('believes a proxy only where the settings say so', () => {
    const headers = { host: 'a.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'b.example' };
    expect(createBaseUrl(settings)(headers)).toBe('http://a.example/v1');
    expect(createBaseUrl({ ...settings, trustProxy: true })(headers)).toBe('https://b.example/v1');
  });
});
