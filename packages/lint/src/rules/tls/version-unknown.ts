import type { Profile } from '@tollgate/catalog';
import { checkLiterals } from '../../analyses/literals.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { tlsVersionNumber, tlsVersions } from './tls-versions.ts';

/** Reports `conn.TLS.Version == '1.3'` in a profile that spells versions `TLS 1.3`. */
export const VERSION_UNKNOWN: LintRule = {
  id: 'tls/version-unknown',
  severity: 'error',
  summary: 'unknown TLS version',
  rationale:
    'Versions are strings, and each profile has one spelling: `TLS 1.3`, or `1.3` (a setting of the project file says which). Any ' +
    'other spelling is never equal and sorts differently, so the condition holds for no connection or for all of them.',
  bad: {
    policy: `\
on_http_request:
  - name: TLS 1.3 only
    expressions: ["conn.tls.version != «'TLSv1.3'»"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: TLS 1.3 only
    expressions: ["conn.tls.version != '1.3'"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended', 'security'],
  check: checkLiterals(['tls-version'], ({ text, test, context }) => {
    const { profile } = context.file;
    const versions = tlsVersions(profile);
    if (text === '' || isPossible(test.kind, text, versions)) return undefined;
    const suggestion = respelled(text, profile);
    const hint = suggestion === undefined ? `use one such as \`${versions.at(-1)}\`` : `write \`${suggestion}\``;
    return { message: `\`${text}\` is not a TLS version of this profile; ${hint}`, suggestion };
  }),
};

/** True if the test may hold for one of the versions; patterns are not evaluated. */
function isPossible(kind: ValueTest['kind'], text: string, versions: readonly string[]): boolean {
  switch (kind) {
    case 'matches':
      return true;
    case 'contains':
      return versions.some(version => version.includes(text));
    case 'startsWith':
      return versions.some(version => version.startsWith(text));
    case 'endsWith':
      return versions.some(version => version.endsWith(text));
    default:
      return versions.includes(text);
  }
}

function respelled(text: string, profile: Profile): string | undefined {
  const number = tlsVersionNumber(text);
  return number === undefined ? undefined : tlsVersions(profile).find(version => version.endsWith(number));
}
