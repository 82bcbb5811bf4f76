import { accessOf, conditionTests } from '../../analyses/access.ts';
import { checkLiterals } from '../../analyses/literals.ts';
import { meantBy } from '../../analyses/patterns.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports a rule that denies `req.Host == 'admin.example.com'`. */
export const HOST_PORT: LintRule = {
  id: 'http/host-port',
  severity: 'warning',
  summary: 'denied host that passes with a port',
  rationale:
    'The `Host` header may contain a port: a client that sends `Host: admin.example.com:443` reaches the same host, but does not equal ' +
    '`admin.example.com`, and a rule that denies the host does not match. Compare the host of the URL, which has no port, or allow for one.',
  bad: {
    policy: `\
on_http_request:
  - name: no admin host
    expressions: ["«req.host == 'admin.example.com'»"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: no admin host
    expressions: ["req.url.host == 'admin.example.com'"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: checkLiterals(
    ['host', 'request-headers'],
    ({ text, test, at, context: { file } }) => {
      const { origin, kind } = test;
      // `regex/compared-literally` reports a glob.
      if (meantBy(text, test) !== undefined) return undefined;
      if (!mayHavePort(origin) || !/^[^:]*[a-z]$/i.test(text) || accessOf(at, test) !== 'refuses') return undefined;
      // A rule that also tests for a port, or for what the host contains, allows for it.
      const others = conditionTests(at.rule, file.roles).filter(other => other.origin.path === origin.path);
      if (others.some(other => !isEquality(other) && other.kind !== 'endsWith')) return undefined;
      if (others.some(({ literals }) => literals.some(({ literal }) => String(literal.value).includes(':'))))
        return undefined;
      const host = hostOfUrl(file.roles);
      const example = kind === 'endsWith' ? `x${text.startsWith('.') ? '' : '.'}${text}` : text;
      const advice =
        host === undefined ? `use \`matches\` with \`(:[0-9]+)?$\`` : `compare \`${host}\`, which has no port`;
      return {
        range: rangeInDocument(at, test.isListed ? test.literals[0]!.node.range : test.call.range),
        message: `\`Host: ${example}:443\` is not denied; ${advice}`,
        args: { found: text },
        fixes: [],
      };
    },
    test => isEquality(test) || test.kind === 'endsWith',
  ),
};

/** `req.host` is the header as sent; the host of the URL has no port. */
function mayHavePort({
  path,
  role,
  name,
}: {
  path: string;
  role: string | undefined;
  name: string | undefined;
}): boolean {
  return role === 'host' ? !/\burl\.host$/i.test(path) : name?.toLowerCase() === 'host';
}

/** Returns the variable that holds the host of the URL; undefined if the profile has none. */
function hostOfUrl({ variables }: ProfileRoles): string | undefined {
  return [...variables.keys()].find(path => /\burl\.host$/i.test(path));
}
