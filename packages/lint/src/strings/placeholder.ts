/** Written in the syntax of something that is filled in before use: `$NAME`, `${NAME}`, `%NAME%`, `{{name}}`, `<name>`, `[name]`. */
const FILLED_IN = /^(?:\$\w+|\$[{(][^})]*[})]|%\w+%|@@?\w+@@?|__\w+__|\{\{?[^{}]*\}?\}|<[^<>]*>|\[[^[\]]*\]|«[^»]*»)$/;

/** Left out, in whole or in part: `xxx`, `sk_live_****`, `abc…`. Letters in a row of this length do not occur by chance. */
const LEFT_OUT = /^(.)\1{2,}$|([\w*.#-])\2{7}|\*{3,}|\.\.\.|…|<[\w -]+>/;

/** The name of a variable of the environment. */
const ENVIRONMENT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:SECRET|KEY|TOKEN|PASSWORD|PASS|PW|ID)$/;

/** What documentation calls its examples. */
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

/** Words that name a value rather than being one. */
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
 * Whether a string stands for a secret that is filled in later, and is none itself.
 *
 * @param isLive the string works as it stands, as a password of users does: then only what asks for a value is a placeholder, and
 * `changeme` is a bad password
 */
export function isPlaceholder(text: string, isLive: boolean): boolean {
  const value = text.trim();
  if (FILLED_IN.test(value) || LEFT_OUT.test(value) || ENVIRONMENT.test(value)) return true;
  if (!isLive && EXAMPLE.test(value)) return true;
  const words = wordsIn(value);
  const isAsking = words.some(word => ASKING.has(word));
  // Next to a word that asks for a value, any word may say which: `your-zoom-secret`.
  const isNamed = words.every(word => (isAsking ? /^[a-z]+$/.test(word) : NAMING.has(word)) || /^\d{1,4}$/.test(word));
  return words.length > 0 && isNamed && (isAsking || !isLive);
}

/** `YOUR_CLIENT_SECRET`, `your-client-secret`, `yourClientSecret1`: all in lower case. */
function wordsIn(text: string): readonly string[] {
  const parts = text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([a-z])(\d)/gi, '$1 $2')
    .split(/[^A-Za-z0-9]+/);
  return parts.filter(part => part !== '').map(part => part.toLowerCase());
}
