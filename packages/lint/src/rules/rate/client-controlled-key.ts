import { entryOfRole, textsIn } from '../../actions/action-parts.ts';
import { ADDRESS_HEADERS, CREDENTIAL_HEADERS, SELF_DESCRIPTION_HEADERS } from '../../data/header-names.ts';
import type { ProfileRoles } from '../../profile/profile-roles.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** The name that is looked up, in quotes: `req.Headers['X-Key']`, `getReqHeader("X-Key")`. */
const LOOKED_UP = /[[(]\s*(["'])([^"']*)\1\s*[\])]/;

/** `bucket_key: ["req.Headers['User-Agent']"]`. */
export const CLIENT_CONTROLLED_KEY: LintRule = {
  id: 'rate/client-controlled-key',
  severity: 'warning',
  summary: 'a limit that clients get round by sending something else',
  rationale:
    'Requests are counted by their key, and each new key begins at zero. Who chooses the key with every request, by a header that ' +
    'nobody checks, is never limited. Count by the address of the connection, or by a key that is checked.',
  bad: {
    policy: `\
inbound:
  - name: not too fast
    actions:
      - type: rate-limit
        config:
          name: per client
          algorithm: sliding_window
          capacity: 30
          rate: 60s
          bucket_key: ["«req.Headers['X-Forwarded-For']»"]
`,
  },
  good: {
    policy: `\
inbound:
  - name: not too fast
    actions:
      - type: rate-limit
        config:
          name: per client
          algorithm: sliding_window
          capacity: 30
          rate: 60s
          bucket_key: [conn.ClientIP]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      const { roles } = context.file;
      const keys = textsIn(entryOfRole(action, 'bucket-key')?.value);
      const own = roles.paths.get('client-address')!;
      const isTied = keys.some(
        ({ value }) => value.includes(own) || CREDENTIAL_HEADERS.has(headerIn(value, roles) ?? ''),
      );
      for (const key of keys) {
        const name = headerIn(key.value, roles);
        if (name === undefined || (isTied && !isSpoofed(name)) || CREDENTIAL_HEADERS.has(name)) continue;
        // It chooses what is asked for, and the edge only serves hosts that it knows.
        if (name === 'host') continue;
        context.report({
          range: key.place,
          message: `clients choose \`${name}\` with every request, and each new one is counted from zero; count by \`${own}\``,
          args: { header: name, use: own },
        });
      }
    },
  },
};

function isSpoofed(name: string): boolean {
  return ADDRESS_HEADERS.has(name) || SELF_DESCRIPTION_HEADERS.has(name);
}

/** The header of the request that a key reads, in lower case. */
function headerIn(key: string, { paths, profile }: ProfileRoles): string | undefined {
  const functions = profile.functions
    .filter(fact => fact.looksUp?.in === 'request-headers')
    .map(fact => `${fact.name}(`);
  const starts = [`${paths.get('request-headers')}[`, ...functions];
  if (!starts.some(start => key.startsWith(start))) return undefined;
  return LOOKED_UP.exec(key)?.[2]?.toLowerCase();
}
