import { findBypasses, UPSTREAMS } from '@tollgate/solver';
import { expect, it } from 'vitest';
import { CONTEXT, policyOf } from './random-policies.ts';

/** Conditions of rules that refuse, by the techniques that get past them on some upstream. */
const REFUSED: Readonly<Record<string, string>> = {
  'encoded characters': "req.URL.contains('/admin')",
  'doubled slashes': "req.Path.startsWith('/admin')",
  'dot segments': "req.Path.startsWith('/admin')",
  'path parameters': "req.Path == '/admin'",
  'letter case': "req.Path.startsWith('/admin')",
  'trailing slash': "req.Path == '/admin'",
  backslash: "req.Path.startsWith('/admin/users')",
  'form of the host': "req.Host == 'admin.example.com'",
  'repeated headers': "getReqHeader('X-Role') == ['guest']",
  'repeated parameters': "getQueryParam('debug') == ['1']",
};

it.each(Object.entries(REFUSED))('are found by %s', (technique, condition) => {
  const policy = policyOf([{ expressions: [condition], actions: [{ type: 'deny' }] }]);
  const { bypasses } = findBypasses(policy, Object.values(UPSTREAMS), CONTEXT);
  expect(bypasses.flatMap(({ techniques }) => techniques)).toContain(technique);
});

it.each(['m//', '/./', '/../', ';', '%2f'])('are no usual requests where a rule refuses URLs with `%s`', odd => {
  const refusing = { expressions: [`req.URL.lowerAscii().contains('${odd}')`], actions: [{ type: 'deny' }] };
  const { bypasses } = findBypasses(policyOf([refusing]), Object.values(UPSTREAMS), CONTEXT);
  const usual = bypasses.filter(({ exchange }) => !/\/\/|\/\.|[%;\\]/.test(exchange.target!));
  expect(usual.map(({ exchange, refused }) => `${exchange.target} like ${refused.target}`)).toEqual([]);
});
