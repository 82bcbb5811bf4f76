import { PROFILES } from '@tollgate/catalog';
import { describe, expect, it } from 'vitest';
import { CODE_PAGES } from '../output/code-table.ts';
import { lookUp } from './look-up.ts';

const names = (...args: Parameters<typeof lookUp>) =>
  (lookUp(...args).entries as readonly { readonly name: string }[]).map(({ name }) => name);

describe('lookUp', () => {
  it.each([
    ['client ip', 'conn.client_ip'],
    ['ClientIP', 'conn.client_ip'],
    ['user agent', 'req.user_agent'],
    ['rate limit', 'rate-limit'],
    ['path', 'req.url.path'],
    ['country code', 'conn.geo.country_code'],
    ['basic authentication', 'basic-auth'],
    ['cidr', 'inCidrRange'],
    ['unguarded index', 'type/unguarded-index'],
  ])('finds by `%s` first `%s`', (query, name) => {
    expect(names(query, undefined, undefined)[0]).toBe(name);
  });

  it('finds every name by itself', () => {
    for (const profile of PROFILES) {
      const known = [...profile.variables.map(({ path }) => path), ...profile.actions.map(({ type }) => type)];
      for (const name of known) expect(names(name, undefined, profile.name), name).toContain(name);
    }
    for (const { code } of CODE_PAGES) expect(names(code, 'code', undefined)[0]).toBe(code);
  });

  it('finds nothing by words that are nowhere', () => {
    expect(lookUp('quetzalcoatl', undefined, undefined)).toEqual({ total: 0, entries: [] });
  });
});
