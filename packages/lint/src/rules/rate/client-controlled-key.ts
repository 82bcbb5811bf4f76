import { entryOfRole, stringsIn } from '../../readers/actions.ts';
import { ADDRESS_HEADERS, CREDENTIAL_HEADERS, SELF_DESCRIPTION_HEADERS } from '../../readers/http-names.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** The quoted name in a lookup: `req.Headers['X-Key']`, `getReqHeader("X-Key")`. */
const LOOKED_UP = /[[(]\s*(["'])([^"']*)\1\s*[\])]/;

/** Reports `bucket_key: ["req.Headers['User-Agent']"]`. */
export const CLIENT_CONTROLLED_KEY: LintRule = {
  id: 'rate/client-controlled-key',
  severity: 'warning',
  summary: 'rate limit key that clients can change at will',
  rationale:
    'Requests are counted by key, and each new key starts at zero. A client that sends a new value of an unchecked header with every ' +
    'request is never limited. Count by the address of the connection, or by a key that has been verified.',
  bad: {
    policy: `\
inbound:
  - name: limit clients
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
  - name: limit clients
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
      const keys = stringsIn(entryOfRole(action, 'bucket-key')?.value);
      const address = roles.paths.get('client-address')!;
      const isTied = keys.some(
        ({ value }) => value.includes(address) || CREDENTIAL_HEADERS.has(headerIn(value, roles) ?? ''),
      );
      for (const key of keys) {
        const name = headerIn(key.value, roles);
        if (name === undefined || (isTied && !isSpoofed(name)) || CREDENTIAL_HEADERS.has(name)) continue;
        // The edge serves only hosts that it knows.
        if (name === 'host') continue;
        context.report({
          range: key.place,
          message: `clients can change \`${name}\` with every request, which resets the count; count by \`${address}\``,
          args: { header: name, use: address },
        });
      }
    },
  },
};

function isSpoofed(name: string): boolean {
  return ADDRESS_HEADERS.has(name) || SELF_DESCRIPTION_HEADERS.has(name);
}

/** Returns the name, in lower case, of the request header that a key reads. */
function headerIn(key: string, { paths, profile }: ProfileRoles): string | undefined {
  const functions = profile.functions
    .filter(({ looksUp }) => looksUp?.in === 'request-headers')
    .map(({ name }) => `${name}(`);
  const starts = [`${paths.get('request-headers')}[`, ...functions];
  if (!starts.some(start => key.startsWith(start))) return undefined;
  return LOOKED_UP.exec(key)?.[2]?.toLowerCase();
}
