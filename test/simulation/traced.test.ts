import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODERN, PROFILES, phasesAt } from '@tollgate/catalog';
import { EvaluationError, Unknown } from '@tollgate/cel';
import { runCaptured } from '@tollgate/cli';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, testExchange } from '@tollgate/simulator';
import type { Exchange, HeaderFacts } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../schemas/generated-policy.ts';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { actionsIn, conditionsIn, meaningfulPolicies } from './generated-rules.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

/** The exchange as tests write it. */
function written({ time, clientIp, tls, method, url, target, protocol, requestHeaders, response }: Exchange): object {
  return {
    ...(time !== undefined && { now: new Date(time).toISOString() }),
    connection: {
      ...(clientIp !== undefined && { client_ip: clientIp }),
      ...(tls.version !== undefined && {
        tls: { version: tls.version, cipher_suite: tls.cipherSuite, server_name: tls.serverName },
      }),
    },
    request: {
      ...(method !== undefined && { method }),
      ...(target !== undefined && { url: url ?? target }),
      ...(protocol !== undefined && { protocol }),
      ...headersOf(requestHeaders),
    },
    ...(response && {
      response: { ...(response.status !== undefined && { status: response.status }), ...headersOf(response.headers) },
    }),
  };
}

/** Those that are withheld cannot be written: then the others are not known either. */
function headersOf({ fields, absent, complete, withheld }: HeaderFacts): object {
  const values = Map.groupBy(fields, ({ name }) => name);
  const known = [...values].map(([name, all]) => [name, all.map(({ value }) => value)] as const);
  const missing = absent.map(name => [name, null] as const);
  return { headers: Object.fromEntries([...missing, ...known]), no_other_headers: complete && withheld.length === 0 };
}

async function printed(format: string, args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCaptured(['trace', '--format', format, ...args], { columns: 80 });
  expect([code, errors]).toEqual([0, '']);
  return output;
}

interface Document {
  readonly rules: readonly {
    readonly status: string;
    readonly reason?: string;
    readonly expressions: readonly { readonly count: number; readonly results: readonly object[] }[];
  }[];
  readonly outcomes: Decision['outcomes'];
  readonly needs: readonly string[];
  readonly upstream: { readonly isAsked: boolean | null };
}

/** What the whole of an expression gave, as the document has it. */
function resultOf(result: unknown): object {
  if (result instanceof EvaluationError) return { error: { code: result.code, message: result.message } };
  return result instanceof Unknown ? { needs: result.attributes } : { value: result, text: String(result) };
}

const PLACES = PROFILES.flatMap(profile => profile.endpoints.map(endpoint => ({ profile, endpoint })));

describe.each(PLACES.map(place => [`${place.profile.name}, ${place.endpoint}`, place] as const))(
  'what is printed of a trace of %s',
  (_, { profile, endpoint }) => {
    const environments = createPhaseEnvironments(profile, endpoint);

    it('is the decision: its outcome, what every rule did, and what every expression gave', async () => {
      await fc.assert(
        fc.asyncProperty(
          meaningfulPolicies(profile, endpoint),
          WHOLE,
          MASK,
          fc.constantFrom('text', 'html'),
          async (policy, whole, mask, format) => {
            const files = [join(directory, 'policy.json'), join(directory, 'exchange.json')] as const;
            const exchange = written(masked(whole, mask));
            writeFileSync(files[0], JSON.stringify(policy));
            writeFileSync(files[1], JSON.stringify(exchange));
            const analysis = analyzePolicy(new SourceText(files[0], JSON.stringify(policy)), {
              profile,
              endpoint,
              environments,
            });
            const simulation = createSimulation(analysis.policy!, { profile, environments });
            const read = testExchange(exchange, { file: files[1], number: 1, unit: 'entry' });
            const [decision, { expressions }] = [simulation.decide(read), simulation.trace(read)];
            const args = [files[0], '--request', files[1], '--profile', profile.name, '--endpoint', endpoint];
            const document = JSON.parse(await printed('json', args)) as Document;
            expect(document.rules.map(({ status }) => status)).toEqual(decision.rules.map(({ status }) => status));
            expect([document.outcomes, document.needs]).toEqual([
              JSON.parse(JSON.stringify(decision.outcomes)),
              decision.needs,
            ]);
            expect(document.upstream.isAsked).toBe(decision.upstream.isAsked ?? null);
            expect(document.rules.map(rule => rule.expressions.map(({ results }) => results))).toEqual(
              expressions.map(all => all.map(found => (found ? [resultOf(found.result)] : []))),
            );
            // Whatever did not match has a reason.
            expect(document.rules.filter(({ status, reason }) => status !== 'matched' && reason === undefined)).toEqual(
              [],
            );
            const shown = await printed(format, args);
            for (const phase of phasesAt(profile, endpoint)) {
              for (const { index } of analysis.policy!.rules[phase]) {
                expect(shown).toContain(format === 'html' ? `id="${phase}-${index + 1}"` : ` ${phase} ${index + 1}  `);
              }
            }
          },
        ),
        { numRuns: runs(1, 12) },
      );
    });
  },
);

describe('chance in a trace', () => {
  const endpoint = 'http-endpoint';
  const environments = createPhaseEnvironments(MODERN, endpoint);
  const phases = ['on_http_request', 'on_http_response'] as const;
  const CHANCE = ['rand.double() < 0.5', 'rand.int(1, 6) > 3', "req.method == 'GET' && rand.double(1.0, 2.0) > 1.5"];
  const LOGS = [
    { type: 'set-vars', config: { vars: [{ tier: '${rand.double()}' }, { flag: '${rand.int(1, 2) == 1}' }] } },
  ];

  function policies(): fc.Arbitrary<Json> {
    const lists = phases.map(phase => {
      const place = { endpoint, phase } as const;
      const condition = fc.constantFrom(...CHANCE, ...CHANCE, ...CHANCE, ...conditionsIn(MODERN, place));
      const rule = fc.record({
        expressions: fc.array(condition, { maxLength: 3 }),
        actions: fc.tuple(fc.constantFrom<Json>(...LOGS, ...LOGS, ...actionsIn(MODERN, place))),
      });
      return [phase, fc.array(rule, { maxLength: 8 })] as const;
    });
    return fc.record(Object.fromEntries(lists)) as fc.Arbitrary<Json>;
  }

  it('draws what it draws in a decision', () => {
    let drawn = 0;
    fc.assert(
      fc.property(policies(), WHOLE, fc.nat(), (policy, exchange, seed) => {
        const source = new SourceText('policy.json', JSON.stringify(policy));
        const analysis = analyzePolicy(source, { profile: MODERN, endpoint, environments });
        const simulation = createSimulation(analysis.policy!, { profile: MODERN, environments, seed });
        const { expressions, filled: _, ...traced } = simulation.trace(exchange);
        const decision = simulation.decide(exchange);
        expect(traced).toEqual(decision);
        decision.rules.forEach(({ status }, index) => {
          const results = expressions[index]!.flatMap(found => (found ? [found.result] : []));
          if (status === 'not-matched') expect(results).toContain(false);
          if (status === 'matched') expect(results.filter(result => result !== true)).toEqual([]);
          if (status === 'matched' && results.length > 0) drawn += 1;
        });
      }),
      { numRuns: runs(8, 60) },
    );
    expect(drawn).toBeGreaterThan(3);
  });
});
