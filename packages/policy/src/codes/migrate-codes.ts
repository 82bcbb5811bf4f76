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
    summary: 'feature that the new profile does not have',
    rationale:
      'Nothing in the new profile means the same. The original is left as it was, and the migrated policy is incomplete.',
    remedy: 'Express the intent of the rule in another way, or remove it.',
    bad: rule("getReqCookie('a').Secure"),
    good: GOOD,
  },
  {
    code: 'migrate/does-not-check',
    severity: 'error',
    summary: 'error in the migrated policy',
    rationale: 'The migrated policy was analyzed in the new profile, and this part has an error there.',
    remedy: 'Fix it in the old policy, or by hand in the new one. The message says what is wrong.',
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
    summary: 'edit that cannot be made safely',
    rationale:
      'An aliased value would have to become two different values, or an entry cannot be removed from its line.',
    remedy: 'Replace the alias with the value it stands for, then migrate again.',
    bad: migration(
      'inbound:\n  - actions:\n      - &squeeze { type: compress-response }\n      - *squeeze\n      - type: log\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/dropped-action',
    severity: 'warning',
    summary: 'removed action',
    rationale: 'The action has no effect in this phase of the new profile, so the rule does without it.',
    bad: migration('inbound:\n  - actions:\n      - type: compress-response\n      - type: log\n'),
    good: GOOD,
  },
  {
    code: 'migrate/dropped-phase',
    severity: 'warning',
    summary: 'removed phase',
    rationale: 'This endpoint kind has no such phase in the new profile, so its rules are removed.',
    bad: migration('outbound:\n  - actions:\n      - type: log\n', 'tcp-edge'),
    good: GOOD,
  },
  {
    code: 'migrate/response-phase',
    severity: 'warning',
    summary: "response rules that now also run on the edge's own answers",
    rationale: 'In the new profile, an answer that the edge creates itself passes through the response rules.',
    remedy: 'Test for something that only responses of the upstream have.',
    bad: migration(
      'inbound:\n  - actions:\n      - type: custom-response\n        config: { status_code: 200, content: hello }\noutbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers: { x-a: b }\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/enabled',
    severity: 'warning',
    summary: 'disabled policy',
    rationale: 'In the new profile, a policy cannot be disabled in its document: it applies wherever it is attached.',
    remedy: 'Do not attach the policy, or remove its rules.',
    bad: migration('enabled: false\ninbound:\n  - actions:\n      - type: log\n'),
    good: migration('inbound:\n  - actions:\n      - type: log\n'),
  },
  {
    code: 'migrate/request',
    severity: 'warning',
    summary: 'policy inside a request body',
    rationale:
      'API requests carry a policy of the new profile as a single string, in `traffic_policy`. The rest of the request is left unchanged.',
    bad: migration('policy:\n  inbound:\n    - actions:\n        - type: log\n'),
    good: GOOD,
  },
  {
    code: 'migrate/default',
    severity: 'warning',
    summary: 'key whose default has changed',
    rationale: 'Without the key, the new profile uses a different default.',
    remedy: 'Write out the intended value.',
    bad: migration('inbound:\n  - actions:\n      - type: deny\n'),
    good: GOOD,
  },
  {
    code: 'migrate/number',
    severity: 'warning',
    summary: 'number outside the bounds of the new profile',
    rationale: 'The new profile has narrower bounds for this key. The default replaces the number.',
    bad: migration('inbound:\n  - actions:\n      - type: deny\n        config:\n          status_code: 100\n'),
    good: GOOD,
  },
  {
    code: 'migrate/template',
    severity: 'warning',
    summary: 'placeholder that changes its meaning',
    rationale:
      'In the new profile, strings are filled in by expressions. The counterpart of this placeholder is not quite the same.',
    bad: migration(
      'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-tls: "${.tls.version}"\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/header-case',
    severity: 'warning',
    summary: 'header name that now matches in any case',
    rationale:
      'The old profile finds headers only under their canonical name (`User-Agent`); the new one ignores case. A condition that was never true may become true.',
    bad: rule("'user-agent' in req.Headers"),
    good: rule("'User-Agent' in req.Headers"),
  },
  {
    code: 'migrate/header-keys',
    severity: 'warning',
    summary: 'expression that reads header names',
    rationale: 'The keys of a map of headers were in canonical form and are now in lowercase.',
    remedy: 'Compare with lowercase names.',
    bad: rule("req.Headers.exists(name, name.startsWith('X-'))"),
    good: GOOD,
  },
  {
    code: 'migrate/may-be-absent',
    severity: 'warning',
    summary: 'value that may now be absent',
    rationale: 'The old value always existed, and was empty if nothing was known. Its counterpart may be absent.',
    remedy: 'Check that it exists with `has()`.',
    bad: rule('has(req.ContentLength)'),
    good: GOOD,
  },
  {
    code: 'migrate/tls-version',
    severity: 'warning',
    summary: 'new format of the TLS version',
    rationale:
      'The value was `TLS 1.3` and is now `1.3`. Comparisons with a literal are rewritten; any other comparison may become true.',
    bad: rule("req.ClientTLS.Version == '1.3'"),
    good: rule("req.ClientTLS.Version == 'TLS 1.3'"),
  },
  {
    code: 'migrate/server-tls',
    severity: 'warning',
    summary: "value that now describes the client's connection",
    rationale:
      'The old value described the connection to the upstream; its counterpart describes the connection from the client.',
    bad: migration(
      'outbound:\n  - expressions:\n      - "res.ServerTLS.SNI == \'a\'"\n    actions:\n      - type: log\n',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/terminate-tls',
    severity: 'warning',
    summary: 'value that requires an earlier `terminate-tls`',
    rationale: 'The new profile provides this value only after a `terminate-tls` action.',
    remedy: 'Put a `terminate-tls` action before the rule.',
    bad: migration(
      "inbound:\n  - expressions:\n      - conn.TLS.SNI == 'a'\n    actions:\n      - type: deny\n",
      'tls-edge',
    ),
    good: GOOD,
  },
  {
    code: 'migrate/cookie-order',
    severity: 'warning',
    summary: 'cookies in a different order',
    rationale: 'Cookies were a list in the order of the header and are now grouped by name.',
    bad: rule("req.Cookies[0].Name == 'a'"),
    good: GOOD,
  },
  {
    code: 'migrate/cookie-max-age',
    severity: 'warning',
    summary: 'maximum age of a cookie, now a duration',
    rationale:
      '`MaxAge` was 0 for a cookie without a maximum age and -1 for a deleted one; `max_age` is a duration, or absent.',
    bad: rule('req.Cookies.exists(c, c.MaxAge > 10)'),
    good: GOOD,
  },
];
