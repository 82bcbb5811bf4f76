import type { ConfigField } from '@tollgate/catalog';
import { contentRange } from '@tollgate/policy';
import { fieldNamed } from '../../readers/profile-roles.ts';
import type { ConfigString, LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Assembled here so that secret scanners do not report this file. */
const EXAMPLE_KEY = ['glpat', 'Kq7Zt4Xw9Lr2Bn6Vs1Hd'].join('-');

/** Reports `Authorization: Bearer eyJ…`. */
export const SECRET_LITERAL: LintRule = {
  id: 'sec/secret-literal',
  severity: 'error',
  summary: 'plaintext secret',
  rationale:
    'Many people and systems read a policy: it is stored in a repository, sent to a service and displayed there. A secret in it is no ' +
    'longer secret, and stays in the history after it is removed. In newer profiles, read secrets with `secrets.get`.',
  bad: {
    policy: `\
on_http_request:
  - name: authenticate to the upstream
    actions: [{ type: add-headers, config: { headers: { x-upstream-key: "«${EXAMPLE_KEY}»" } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: authenticate to the upstream
    actions: [{ type: add-headers, config: { headers: { x-upstream-key: "\${secrets.get('upstream', 'key')}" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    configString: (text, context) => {
      const description = skeletonOf(text.node.value) ?? secretFieldOf(text);
      const { node } = text;
      if (description === undefined || isPlaceholderIn(text)) return;
      report(node.text ? contentRange(node.text) : node.range, description, context);
    },
    nodes: {
      literal: (node, at, context) => {
        const description =
          node.literal.type === 'string' && at.role === 'condition' ? skeletonOf(node.literal.value) : undefined;
        if (description !== undefined && !isPlaceholder(secretPart(String(node.literal.value)), false))
          report(rangeInDocument(at, node.range), description, context);
      },
    },
  },
};

function report(range: Parameters<LintContext['report']>[0]['range'], description: string, context: LintContext): void {
  const hasSecrets = context.file.profile.functions.some(({ name }) => name === 'secrets.get');
  const hint = hasSecrets
    ? "read it with `secrets.get('vault', 'name')`"
    : 'move it out of the policy, or insert it when publishing';
  context.report({
    range,
    message: `policy contains ${description} in plain text; ${hint}, and revoke this one`,
    args: { what: description },
  });
}

function skeletonOf(text: string): string | undefined {
  // Real credentials are longer; this skips most strings without matching patterns.
  return text.length < 12 ? undefined : SECRET_SHAPES.find(({ pattern }) => pattern.test(text))?.what;
}

/** Returns the secret part of a string, without the scheme of a header, the user or the host. */
function secretPart(text: string): string {
  return /^\w+:\/\/[^/@]*:([^/@]*)@/.exec(text)?.[1] ?? text.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
}

/** True if the string is a placeholder. Lists of credentials are live: even `changeme` works as a password there. */
function isPlaceholderIn({ node, action, path }: ConfigString): boolean {
  const field = fieldNamed(action.fact?.config, path[0]!);
  const isLive = field?.role === 'secret' && field.type.kind === 'list';
  return isPlaceholder(isLive ? node.value.slice(node.value.indexOf(':') + 1) : secretPart(node.value), isLive);
}

/** Describes the field if it is meant for a secret and contains one literally. */
function secretFieldOf({ node, action, path }: ConfigString): string | undefined {
  const field: ConfigField | undefined = fieldNamed(action.fact?.config, path[0]!);
  if (field?.role !== 'secret' || node.value.includes('${') || node.value === '') return undefined;
  if (path.length > 1 && USER_KEY.test(path.at(-1)!)) return undefined;
  return `the value of \`${field.name}\``;
}

/** Keys of user names next to a password, a form that the edge does not accept, but that people write. */
const USER_KEY = /^(?:user|user_?name|login|name)$/i;

// What secrets look like, and what only stands for one.

/** A credential format. */
interface SecretShape {
  readonly what: string;
  /** Not anchored; linear in the length of the string. */
  readonly pattern: RegExp;
}

/**
 * Credential formats that their issuers publish, with prefixes made for scanners. Generic words such as `password` are names, not secrets.
 */
const SECRET_SHAPES: readonly SecretShape[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{22,})\b/ },
  { what: 'a GitLab token', pattern: /\bglpat-[0-9A-Za-z_-]{20}/ },
  { what: 'a Slack token', pattern: /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/ },
  { what: 'a Stripe key', pattern: /\b[rs]k_live_[0-9A-Za-z]{16,}/ },
  { what: 'a Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}/ },
  { what: 'an npm token', pattern: /\bnpm_[0-9A-Za-z]{36}\b/ },
  { what: 'a SendGrid key', pattern: /\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}/ },
  { what: 'an OpenAI or Anthropic key', pattern: /\bsk-(?:proj-|ant-)?[0-9A-Za-z_-]{32,}/ },
  { what: 'a signed token (JWT)', pattern: /\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/ },
  { what: 'a user name with a password', pattern: /\bBasic [0-9A-Za-z+/]{8,}={0,2}(?![0-9A-Za-z+/=])/ },
  { what: 'a bearer token', pattern: /\bBearer [0-9A-Za-z._~+/-]{16,}=*/ },
  {
    what: 'a URL with a password',
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@${}]{1,64}:[^\s:/@${}]{1,64}@[\w.-]/i,
  },
];

/** Template syntax: `$NAME`, `${NAME}`, `%NAME%`, `{{name}}`, `<name>`, `[name]`. */
const FILLED_IN = /^(?:\$\w+|\$[{(][^})]*[})]|%\w+%|@@?\w+@@?|__\w+__|\{\{?[^{}]*\}?\}|<[^<>]*>|\[[^[\]]*\]|«[^»]*»)$/;

/** Elided, in whole or in part: `xxx`, `sk_live_****`, `abc…`. Random secrets do not repeat a character this often. */
const LEFT_OUT = /^(.)\1{2,}$|([\w*.#-])\2{7}|\*{3,}|\.\.\.|…|<[\w -]+>/;

/** The name of an environment variable. */
const ENVIRONMENT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:SECRET|KEY|TOKEN|PASSWORD|PASS|PW|ID)$/;

/** Documentation marks its examples with this word. */
const EXAMPLE = /example|EXAMPLE/;

/** Words that ask the reader for a value. */
const ASKING: ReadonlySet<string> = new Set([
  ...[
    'your',
    'insert',
    'replace',
    'enter',
    'paste',
    'put',
    'fill',
    'placeholder',
    'example',
    'sample',
    'dummy',
    'here',
  ],
  ...['redacted', 'removed', 'hidden', 'todo', 'fixme', 'tbd'],
]);

/** Words that name a value instead of being one. */
const NAMING: ReadonlySet<string> = new Set([
  ...[
    'my',
    'the',
    'a',
    'an',
    'some',
    'this',
    'that',
    'it',
    'me',
    'in',
    'with',
    'from',
    'to',
    'of',
    'for',
    'goes',
    'is',
  ],
  ...['secret', 'secrets', 'key', 'token', 'password', 'passwd', 'pass', 'pwd', 'passphrase', 'credential', 'value'],
  ...['client', 'signing', 'signature', 'webhook', 'hook', 'api', 'access', 'auth', 'bearer', 'basic', 'oauth', 'oidc'],
  ...[
    'jwt',
    'shared',
    'private',
    'public',
    'app',
    'application',
    'service',
    'user',
    'username',
    'account',
    'id',
    'sso',
  ],
  ...['change', 'changeme', 'changeit', 'super', 'top', 'very', 'test', 'testing', 'demo', 'foo', 'bar', 'baz', 'abc'],
  ...['xyz', 'string', 'text', 'name', 'provider', 'google', 'github', 'gitlab', 'slack', 'stripe', 'twilio', 'azure'],
  ...[
    'shopify',
    'microsoft',
    'okta',
    'auth0',
    'mysecret',
    'mytoken',
    'mypassword',
    'supersecret',
    'topsecret',
    'apikey',
  ],
]);

/**
 * Returns true if a string is a placeholder for a secret.
 *
 * @param isLive true if the string works as it is, such as a user's password: then `changeme` is a weak password, and only strings that
 * ask for a value are placeholders
 */
export function isPlaceholder(text: string, isLive: boolean): boolean {
  const value = text.trim();
  if (FILLED_IN.test(value) || LEFT_OUT.test(value) || ENVIRONMENT.test(value)) return true;
  if (!isLive && EXAMPLE.test(value)) return true;
  const words = wordsIn(value);
  const isAsking = words.some(word => ASKING.has(word));
  // Next to a word that asks for a value, any word may name it: `your-zoom-secret`.
  const isNamed = words.every(word => (isAsking ? /^[a-z]+$/.test(word) : NAMING.has(word)) || /^\d{1,4}$/.test(word));
  return words.length > 0 && isNamed && (isAsking || !isLive);
}

/** Splits `YOUR_CLIENT_SECRET`, `your-client-secret` and `yourClientSecret1` into lower-case words. */
function wordsIn(text: string): readonly string[] {
  const parts = text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([a-z])(\d)/gi, '$1 $2')
    .split(/[^A-Za-z0-9]+/);
  return parts.filter(part => part !== '').map(part => part.toLowerCase());
}
