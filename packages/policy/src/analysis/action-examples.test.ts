import { hasUpstream, isAvailable, PROFILES, phasesAt } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { analyzePolicy } from './analyze-policy.ts';

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('the actions of %s', (_, profile) => {
  const environments = new Map(
    profile.endpoints.map(endpoint => [endpoint, createPhaseEnvironments(profile, endpoint)]),
  );

  it.each(profile.actions.map(fact => [fact.type, fact] as const))(
    'have an example that is without error wherever all of it is available: %s',
    (_, fact) => {
      const places = profile.endpoints.flatMap(endpoint =>
        phasesAt(profile, endpoint).map(phase => ({ endpoint, phase })),
      );
      const suitable = places.filter(
        place =>
          isAvailable(fact, place) &&
          fact.config.every(field =>
            isAvailable({ phases: field.phases ?? fact.phases, endpoints: field.endpoints ?? fact.endpoints }, place),
          ),
      );
      expect(suitable.length).toBeGreaterThan(0);
      for (const { endpoint, phase } of suitable) {
        const action = { type: fact.type, ...(fact.example !== undefined && { config: fact.example }) };
        const rules = [{ actions: [action] }];
        // Where there is no upstream, some rule must handle all traffic.
        const ending = hasUpstream(endpoint) ? {} : { on_http_request: [{ actions: [{ type: 'deny' }] }] };
        const document = { ...ending, [phase]: phase in ending ? [...rules, ...ending.on_http_request!] : rules };
        const text = JSON.stringify(document);
        const options = { profile, endpoint, environments: environments.get(endpoint)! };
        expect(analyzePolicy(new SourceText('p.json', text), options).diagnostics).toEqual([]);
      }
    },
  );
});

describe('expressions in a configuration', () => {
  const modern = PROFILES.find(profile => profile.name === 'modern')!;
  const options = { profile: modern, endpoint: 'http-endpoint' } as const;

  function findings(action: string, phase = 'on_http_request'): readonly string[] {
    const text = action.endsWith(']') ? `${phase}:\n- actions: [${action}\n` : `${phase}:\n- actions:\n  - ${action}\n`;
    return analyzePolicy(new SourceText('p.yaml', text), options).diagnostics.map(
      ({ code, range }) => `${code} ${text.slice(range.start, range.end)}`,
    );
  }

  it.each([
    ['{type: custom-response, config: {body: "a ${req.pth} b"}}', ['name/undeclared-field pth']],
    ['{type: custom-response, config: {body: "\\tä ${ req.mthod }"}}', ['name/undeclared-field mthod']],
    ['{type: custom-response, config: {headers: {x: "${size(1)}"}}}', ['type/no-matching-overload size']],
    ['{type: log, config: {metadata: {a: [{b: "${nope}"}]}}}', ['name/undeclared-reference nope']],
    ['{type: log, config: {metadata: {a: "$${nope}"}}}', []],
    ['{type: set-vars, config: {vars: [{a: "${res.status_code}"}]}}', ['phase/variable-unavailable res']],
    ['{type: url-rewrite, config: {from: "${", to: b}}', ['expression/unclosed-interpolation ${']],
    ['{type: url-rewrite, config: {from: "^${req.url.host}(", to: "$1"}}', []],
    ['{type: restrict-ips, config: {allow: ["${vars.range}", 10.0.0.0/8]}}', ['policy/unset-variable vars.range']],
    [
      '{type: set-vars, config: {vars: [{range: 10.0.0.0/8}]}}, {type: restrict-ips, config: {allow: ["${vars.range}"]}}]',
      [],
    ],
    ['{type: set-vars, config: {vars: [{a: 1}, {b: "${vars.a}"}]}}', []],
    ['{type: set-vars, config: {vars: [{b: "${vars.a}"}, {a: 1}]}}', ['policy/unset-variable vars.a']],
    [
      '{type: set-vars, config: {vars: {a: 1}}}, {type: log, config: {metadata: {b: "${vars.a}"}}}]',
      ['config/wrong-type {a: 1}'],
    ],
    [
      '{type: set-vars, config: {a: 1}}, {type: log, config: {metadata: {b: "${vars.a}"}}}]',
      ['config/unknown-key a', 'config/missing-key a'],
    ],
    ['{type: log, config: {metadata: {a: "${has(vars.a) ? vars.a : 0}"}}}', []],
    ['{type: log, config: {metadata: {a: "${vars[\'a\']}"}}}', ["policy/unset-variable vars['a']"]],
    ['{type: log, config: {metadata: {a: "${[{\'a\': 1}].map(vars, vars.a)}"}}}', []],
    [
      '{type: http-request, config: {url: https://a.internal, retry_condition: "last_attempt.res.status_code >= 500"}}',
      [],
    ],
    [
      '{type: http-request, config: {url: https://a.internal, retry_condition: "attempts"}}',
      ['type/non-boolean-expression attempts'],
    ],
    [
      '{type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: [conn.client_ipp]}}',
      ['name/undeclared-field client_ipp'],
    ],
    [
      '{type: compress-response, config: {algorithms: [gzip, gzip]}}',
      ['config/duplicate-item gzip'],
      'on_http_response',
    ],
    ['{type: set-vars, config: {vars: [{a: 1, b: 2}]}}', ['config/map-size {a: 1, b: 2}']],
    ['{type: redirect, config: {to: a, status_code: 304}}', ['config/out-of-range 304']],
    ['{type: deny, config: {status_code: 401}}', ['phase/config-unavailable status_code'], 'on_tcp_connect'],
    ['{type: custom-response, config: {content: a}}', ['config/deprecated-key content']],
    ['{type: circuit-breaker, config: {error_threshold: 1.5}}', ['config/out-of-range 1.5']],
    ['{type: forward-internal, config: {url: "https://a.internal"}}, {type: log}]', ['policy/unreachable-action log']],
    [
      '{type: forward-internal, config: {url: "https://a.internal", on_error: halt}}, {type: log}]',
      ['policy/unreachable-action log'],
    ],
    ['{type: forward-internal, config: {url: "https://a.internal", on_error: continue}}, {type: log}]', []],
  ])('are checked at their places: %s', (action, expected, phase = 'on_http_request') => {
    expect(findings(action, phase)).toEqual(expected);
  });
});
