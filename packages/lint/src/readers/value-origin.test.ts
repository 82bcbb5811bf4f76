import { PROFILES } from '@tollgate/catalog';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { lookupsIn } from './lookups.ts';
import { profileRoles } from './profile-roles.ts';
import { valueTestsIn } from './value-tests.ts';

function typedIn(profileName: string, source: string) {
  const profile = PROFILES.find(one => one.name === profileName)!;
  const endpoint = profile.endpoints[0]!;
  const phase = profile.phases.find(one => /^(?:outbound|on_http_response)$/.test(one))!;
  const environment = createPhaseEnvironments(profile, endpoint)[phase];
  const { typed } = checkCondition(source, { profile, place: { endpoint, phase }, environment });
  if (!typed) throw new Error(`the expression has an error: ${source}`);
  return { typed, roles: profileRoles(profile) };
}

/** Returns each test as `role[name] kind literals`, followed by its flags. */
function testsIn(profileName: string, source: string): readonly string[] {
  const { typed, roles } = typedIn(profileName, source);
  return valueTestsIn(typed, roles).map(({ origin, kind, literals, isNegated }) => {
    const name = origin.name === undefined ? '' : `[${origin.name}]`;
    const notes = [isNegated && 'negated', origin.letters !== 'as-is' && origin.letters, !origin.isWhole && 'part'];
    const values = literals.map(({ literal }) => String(literal.value)).join(',');
    return [`${origin.role}${name}`, kind, values, ...notes.filter(Boolean)].join(' ');
  });
}

describe('tests of inputs', () => {
  it.each([
    ['edge-v2', "req.Method == 'GET'", ['method == GET']],
    ['edge-v2', "'GET' != req.Method", ['method != GET']],
    ['edge-v2', "!(req.Method in ['GET', 'HEAD'])", ['method in GET,HEAD negated']],
    ['edge-v2', "!(true && !req.Path.startsWith('/a'))", ['path startsWith /a']],
    ['edge-v2', "getReqHeader('X-A')[0] == 'b'", ['request-headers[X-A] == b']],
    ['edge-v2', "req.Headers['X-A'].exists(v, v.contains('b'))", ['request-headers[X-A] contains b']],
    ['edge-v2', "'b' in req.Headers['X-A']", ['request-headers[X-A] == b']],
    ['edge-v2', "req.Cookies.exists(c, c.Name == 'a')", ['request-cookies == a']],
    ['edge-v2', "getReqCookie('a').Value == 'b'", ['request-cookies[a] == b']],
    ['edge-v2', 'res.StatusCode >= 500', ['status >= 500']],
    ['modern', "conn.client_ip == 'a' || req.url.contains('b')", ['client-address == a', 'url contains b']],
    ['modern', "req.method.lowerAscii() == 'get'", ['method == get lower']],
    ['modern', "req.url.path.split('/')[1] == 'a'", ['path == a part']],
    ['modern', "req.headers.exists(name, name == 'a')", []],
    ['modern', "(req.method + req.host) == 'GETa'", []],
  ])('are found in %s: %s', (profile, source, expected) => {
    expect(testsIn(profile, source)).toEqual(expected);
  });
});

describe('lookups by name', () => {
  it.each([
    ['edge-v2', "hasReqHeader('X-A') && 'X-B' in res.Headers", ['request-headers X-A', 'response-headers X-B']],
    ['edge-v2', "req.Params['page'][0] == '2'", ['query-parameters page']],
    [
      'modern',
      "size(req.headers.accept) > 0 && hasReqHeader('A')",
      ['request-headers accept', 'request-headers A any'],
    ],
    ['modern', "req.headers[req.method][0] == 'a'", []],
    ['modern', "getReqHeader('a')[0].lowerAscii() == 'b'", ['request-headers a any']],
  ])('are found once in %s: %s', (profile, source, expected) => {
    const { typed, roles } = typedIn(profile, source);
    const found = lookupsIn(typed, roles).map(({ role, name, anyCase }) => `${role} ${name}${anyCase ? ' any' : ''}`);
    expect(found).toEqual(expected);
  });
});
