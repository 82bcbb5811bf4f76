import { editScalar } from '@tollgate/policy';
import { headersOf, type StringNode, stringOf } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** CSRF tokens, which scripts read by convention. */
const FOR_SCRIPTS = /[xc]srf/i;
/** Names of cookies that usually authenticate their holder. */
const OF_SESSIONS = /sess|auth|token|jwt|login|user|(?:^|[-_.])(?:sid|id|remember)(?:$|[-_.])/i;

const ATTRIBUTES = [
  ['Secure', /;\s*secure\s*(?:;|$)/i, 'Secure'],
  ['HttpOnly', /;\s*httponly\s*(?:;|$)/i, 'HttpOnly'],
  ['SameSite', /;\s*samesite\s*=\s*(?:lax|strict|none)\s*(?:;|$)/i, 'SameSite=Lax'],
] as const;

/** Reports `Set-Cookie: sid=1; Path=/`. */
export const COOKIE_FLAGS: LintRule = {
  id: 'header/cookie-flags',
  severity: 'warning',
  summary: 'cookie without `Secure`, `HttpOnly` or `SameSite`',
  rationale:
    'Without `Secure` a cookie is also sent over plain HTTP, without `HttpOnly` every script on the page can read it, and without ' +
    '`SameSite` its protection against cross-site requests depends on the browser (RFC 6265bis, section 8.8). For a session cookie, ' +
    'each of these gaps can let an attacker take over the session.',
  bad: {
    policy: `\
outbound:
  - name: start a session
    actions: [{ type: add-headers, config: { headers: { Set-Cookie: "«session=1; Path=/»" } } }]
`,
  },
  good: {
    policy: `\
outbound:
  - name: start a session
    actions:
      - type: add-headers
        config: { headers: { Set-Cookie: "session=1; Path=/; Secure; HttpOnly; SameSite=Lax" } }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    action: (action, _, context) => {
      for (const { key, value } of headersOf(action)?.entries ?? []) {
        const text = key.toLowerCase() === 'set-cookie' ? stringOf(value) : undefined;
        if (text) checkCookie(text, context);
      }
    },
  },
};

function checkCookie(text: StringNode, context: LintContext): void {
  // An interpolation outside the name and value may produce attributes.
  const [pair = '', ...rest] = text.value.split(/;(?![^${]*\})/);
  const attributes = `;${rest.join(';')}`;
  const name = pair.split('=')[0]!.trim();
  if (/\$\{/.test(attributes) || /^\s*\$\{[^}]*\}\s*$/.test(pair) || isDeletion(attributes)) return;
  const missing = ATTRIBUTES.filter(
    ([flag, pattern]) => !pattern.test(attributes) && !(flag === 'HttpOnly' && FOR_SCRIPTS.test(name)),
  );
  if (missing.length === 0) return;
  const added = missing.map(([, , attribute]) => `; ${attribute}`).join('');
  const end = text.value.trimEnd().replace(/;$/, '').length;
  const flags = enumeration(missing.map(([flag]) => `\`${flag}\``));
  const isSevere = missing[0]![0] === 'Secure' || OF_SESSIONS.test(name);
  context.report({
    range: text.place,
    message: `cookie \`${name}\` is set without ${flags}; add \`${added.slice(2)}\``,
    args: { cookie: name, missing: missing.map(([flag]) => flag).join() },
    fixes: text.node.text
      ? [
          {
            title: `add \`${added.slice(2)}\``,
            applicability: 'suggestion',
            edits: editScalar(context.file.source.text, text.node.text, [
              { range: { start: end, end: text.value.length }, newText: added },
            ]),
          },
        ]
      : [],
    ...(!isSevere && { severity: 'info' }),
  });
}

function enumeration(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** True for a cookie that has already expired, which is how cookies are deleted. */
function isDeletion(attributes: string): boolean {
  return /;\s*max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)|;\s*expires\s*=[^;]*\b(?:19\d\d|200\d)\b/i.test(attributes);
}
