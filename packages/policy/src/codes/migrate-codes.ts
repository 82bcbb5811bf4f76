import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const rule = (expression: string): CodeExample => ({
  kind: 'migration',
  text: `inbound:\n  - expressions:\n      - "${expression}"\n    actions:\n      - type: log\n`,
});
const migration = (text: string, endpoint?: string): CodeExample => ({
  kind: 'migration',
  text,
  ...(endpoint !== undefined && { endpoint }),
});
const GOOD = rule("req.Method == 'TRACE'");

/** What `tollgate migrate` tells: what may mean something else in the new profile, and what a person must finish. */
export const MIGRATE_CODES: readonly CodeDescription[] = [
  {
    code: 'migrate/no-counterpart',
    severity: 'error',
    summary: 'something that the new profile does not have',
    rationale: 'Nothing in the new profile means this. It stays as it was, and the policy is not finished.',
    remedy: 'Say in another way what the rule is for, or leave it out.',
    bad: rule("getReqCookie('a').Secure"),
    good: GOOD,
  },
  {
    code: 'migrate/does-not-check',
    severity: 'error',
    summary: 'something that is an error in the new profile',
    rationale: 'The new policy was analysed, and what became of this does not check there.',
    remedy: 'Mend it in the old policy, or by hand in the new one. The message says what is wrong.',
    bad: {
      ...migration(`inbound:
  - actions:
      - type: rate-limit
        config:
          name: …
          algorithm: sliding_window
          capacity: 10
          rate: 60s
          bucket_key: [conn.ClientIP]
`),
      stands: { mark: '…', for: 'a', times: 1100 },
    },
    good: GOOD,
  },
  {
    code: 'migrate/by-hand',
    severity: 'error',
    summary: 'an edit that cannot be made safely',
    rationale:
      'What an alias stands for would have to become two different things, or an entry cannot be cut out of its line.',
    remedy: 'Write out what the alias stands for, and migrate again.',
    bad: migration(
      'inbound:\n  - actions:\n      - &squeeze { type: compress-response }\n      - *squeeze\n      - type: log\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/dropped-action',
    severity: 'warning',
    summary: 'an action that is left out',
    rationale: 'It has no meaning any more where the rule stands, and the rule does without it.',
    bad: migration('inbound:\n  - actions:\n      - type: compress-response\n      - type: log\n'),
    good: GOOD,
  },
  {
    code: 'migrate/dropped-phase',
    severity: 'warning',
    summary: 'a phase that is left out with its rules',
    rationale: 'The kind of endpoint has no such phase in the new profile.',
    bad: migration('outbound:\n  - actions:\n      - type: log\n', 'tcp-edge'),
    good: GOOD,
  },
  {
    code: 'migrate/response-phase',
    severity: 'warning',
    summary: 'rules for responses that now run on an answer of the edge',
    rationale: 'In the new profile an answer that the edge gives itself passes the rules for responses.',
    remedy: 'Ask in those rules for what only responses of the upstream have.',
    bad: migration(
      'inbound:\n  - actions:\n      - type: custom-response\n        config: { status_code: 200, content: hello }\noutbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers: { x-a: b }\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/enabled',
    severity: 'warning',
    summary: 'a policy that was disabled',
    rationale: 'A policy of the new profile cannot be disabled in its document: it works wherever it is attached.',
    remedy: 'Do not attach it, or remove its rules.',
    bad: migration('enabled: false\ninbound:\n  - actions:\n      - type: log\n'),
    good: migration('inbound:\n  - actions:\n      - type: log\n'),
  },
  {
    code: 'migrate/request',
    severity: 'warning',
    summary: 'a policy inside the body of a request',
    rationale:
      'Requests to the service hold a policy of the new profile as one text, in `traffic_policy`. What is around the policy stays as it is.',
    bad: migration('policy:\n  inbound:\n    - actions:\n        - type: log\n'),
    good: GOOD,
  },
  {
    code: 'migrate/default',
    severity: 'warning',
    summary: 'a key whose default has changed',
    rationale: 'Left out, the key means something else now.',
    remedy: 'Write out the value that is meant.',
    bad: migration('inbound:\n  - actions:\n      - type: deny\n'),
    good: GOOD,
  },
  {
    code: 'migrate/number',
    severity: 'warning',
    summary: 'a number that is not allowed any more',
    rationale: 'The new profile bounds the key more narrowly. The default takes its place.',
    bad: migration('inbound:\n  - actions:\n      - type: deny\n        config:\n          status_code: 100\n'),
    good: GOOD,
  },
  {
    code: 'migrate/template',
    severity: 'warning',
    summary: 'something filled into a text that means something else',
    rationale: 'Texts are filled in with expressions now. This one has a counterpart that is not the same.',
    bad: migration(
      'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-tls: "${.tls.version}"\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/header-case',
    severity: 'warning',
    summary: 'a header that is found in any case now',
    rationale:
      'Names of headers were found in canonical form only (`User-Agent`), and are now found in any case. A condition that never held may hold.',
    bad: rule("'user-agent' in req.Headers"),
    good: rule("'User-Agent' in req.Headers"),
  },
  {
    code: 'migrate/header-keys',
    severity: 'warning',
    summary: 'names of headers that are looked at',
    rationale: 'The names that a map of headers holds were in canonical form, and are now in lower case.',
    remedy: 'Compare with names in lower case.',
    bad: rule("req.Headers.exists(name, name.startsWith('X-'))"),
    good: GOOD,
  },
  {
    code: 'migrate/may-be-absent',
    severity: 'warning',
    summary: 'a value that may be absent now',
    rationale: 'It was always there, with an empty value where nothing was known. Its counterpart may be missing.',
    remedy: 'Ask with `has()` first.',
    bad: rule('has(req.ContentLength)'),
    good: GOOD,
  },
  {
    code: 'migrate/tls-version',
    severity: 'warning',
    summary: 'a version of TLS that is written otherwise now',
    rationale:
      '`TLS 1.3` was the value, and `1.3` is. A comparison with `TLS 1.3` is rewritten; another one may hold now that never did.',
    bad: rule("req.ClientTLS.Version == '1.3'"),
    good: rule("req.ClientTLS.Version == 'TLS 1.3'"),
  },
  {
    code: 'migrate/server-tls',
    severity: 'warning',
    summary: 'a value of the other connection',
    rationale: 'It told of the connection to the upstream, its counterpart tells of that of the client.',
    bad: migration(
      'outbound:\n  - expressions:\n      - "res.ServerTLS.SNI == \'a\'"\n    actions:\n      - type: log\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/terminate-tls',
    severity: 'warning',
    summary: 'a value that another action must give first',
    rationale: 'The new profile knows it only behind an action `terminate-tls`.',
    remedy: 'Put the action before the rule.',
    bad: migration(
      "inbound:\n  - expressions:\n      - conn.TLS.SNI == 'a'\n    actions:\n      - type: deny\n",
      'tls-edge',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/cookie-order',
    severity: 'warning',
    summary: 'cookies that come in another order',
    rationale: 'They were a list in the order of the header, and are now grouped by name.',
    bad: rule("req.Cookies[0].Name == 'a'"),
    good: GOOD,
  },
  {
    code: 'migrate/cookie-max-age',
    severity: 'warning',
    summary: 'the age of a cookie, which is a duration now',
    rationale:
      '`MaxAge` was 0 for a cookie without one and -1 for one that is to be deleted; `max_age` is a duration, or missing.',
    bad: rule('req.Cookies.exists(c, c.MaxAge > 10)'),
    good: GOOD,
  },
];
