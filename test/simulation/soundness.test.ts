import { PROFILES } from '@tollgate/catalog';
import { EvaluationError, Unknown } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import {
  createSimulation,
  type Decision,
  type DecisionTrace,
  isUnclearInput,
  type RuleResult,
} from '@tollgate/simulator';
import type { HeaderFacts } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { meaningfulPolicies } from './generated-rules.ts';

/** What the rule may have done on the whole record, by what is said of it on the masked one. */
const POSSIBLE: Readonly<Record<RuleResult['status'], readonly RuleResult['status'][]>> = {
  matched: ['matched', 'undetermined'],
  'not-matched': ['not-matched', 'not-reached'],
  failed: ['failed', 'not-reached'],
  'not-reached': ['not-reached'],
  undetermined: ['matched', 'not-matched', 'failed', 'not-reached', 'undetermined'],
};

function outcomeKeys(decision: Decision): string[] {
  return decision.outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`);
}

/** Whether the results of a rule's expressions are those that lead to what is said of it. */
function fits({ status }: RuleResult, traces: DecisionTrace['expressions'][number]): boolean {
  const results = traces.flatMap(trace => (trace ? [trace.result] : []));
  // The rule is decided by all meanings of a header, and its expressions show that it has more than one.
  const isUnclear = results.some(result => result instanceof Unknown && result.attributes.some(isUnclearInput));
  if (isUnclear) return status !== 'not-reached';
  const isFalse = results.includes(false);
  const isUnknown = results.some(result => result instanceof Unknown);
  switch (status) {
    case 'not-reached':
      return results.length === 0;
    case 'not-matched':
      return isFalse;
    case 'failed':
      return !isFalse && !isUnknown && results.some(result => result instanceof EvaluationError);
    case 'matched':
      return results.every(result => result === true);
    case 'undetermined':
      return !isFalse && (isUnknown || results.every(result => result === true));
  }
}

const PLACES = PROFILES.flatMap(profile => profile.endpoints.map(endpoint => ({ profile, endpoint })));

describe.each(PLACES.map(place => [`${place.profile.name}, ${place.endpoint}`, place] as const))(
  'a decision of %s',
  (_, { profile, endpoint }) => {
    const environments = createPhaseEnvironments(profile, endpoint);

    it('on a partial record never contradicts that on the whole one', () => {
      fc.assert(
        fc.property(meaningfulPolicies(profile, endpoint), WHOLE, MASK, (document, whole, mask) => {
          const source = new SourceText('policy.json', JSON.stringify(document));
          const analysis = analyzePolicy(source, { profile, endpoint, environments });
          expect(analysis.diagnostics.filter(one => one.severity === 'error')).toEqual([]);
          const simulation = createSimulation(analysis.policy!, { profile, environments });
          const [known, partial] = [simulation.decide(whole), simulation.decide(masked(whole, mask))];
          expect(outcomeKeys(partial)).toEqual(expect.arrayContaining(outcomeKeys(known)));
          known.rules.forEach(({ status }, index) => {
            expect(POSSIBLE[partial.rules[index]!.status]).toContain(status);
          });
          expect(partial.outcomes.length > 1).toBe(partial.needs.length > 0);
          for (const [exchange, decision] of [
            [whole, known],
            [masked(whole, mask), partial],
          ] as const) {
            const { expressions, filled, ...traced } = simulation.trace(exchange);
            expect(traced).toEqual(decision);
            expect(filled.map(actions => actions.length)).toEqual(
              decision.rules.map(rule => ('actions' in rule ? rule.actions.length : 0)),
            );
            expect(decision.rules.filter((rule, index) => !fits(rule, expressions[index]!))).toEqual([]);
          }
        }),
        { numRuns: runs(2, 80) },
      );
    });

    it('under an assumption is one of those that are possible without it', () => {
      const origins = fc.constantFrom('https://e.co', 'http://assumed.example', 'https://f.co:8443');
      fc.assert(
        fc.property(meaningfulPolicies(profile, endpoint), WHOLE, MASK, origins, (document, whole, mask, origin) => {
          const source = new SourceText('policy.json', JSON.stringify(document));
          const { policy } = analyzePolicy(source, { profile, endpoint, environments });
          const exchange = masked(whole, mask);
          const open = createSimulation(policy!, { profile, environments }).decide(exchange);
          const assumed = createSimulation(policy!, { profile, environments, assumptions: { origin } }).decide(
            exchange,
          );
          expect(outcomeKeys(open)).toEqual(expect.arrayContaining(outcomeKeys(assumed)));
          assumed.rules.forEach(({ status }, index) => {
            const possible = POSSIBLE[open.rules[index]!.status];
            // Less may be known of a rule whose effect depends on what is assumed.
            expect(status === 'undetermined' ? [...possible, 'undetermined'] : possible).toContain(status);
          });
        }),
        { numRuns: runs(4, 80) },
      );
    });
  },
);

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('a rule of %s', (_, profile) => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);

  it('is certain where it is the same whatever a header was of which a recording shows only a part', () => {
    const phase = profile.phases.find(one => /request|inbound/.test(one))!;
    const [map, key] = profile.name === 'edge-v2' ? ['req.Headers', 'X-A'] : ['req.headers', 'x-a'];
    let settled = 0;
    fc.assert(
      fc.property(
        fc.array(headerTests(map!, key!), { minLength: 1, maxLength: 3 }),
        WHOLE,
        fc.constantFrom('1', '-', '', '1, a', '1,1', 'a,1 ,-'),
        (expressions, whole, written) => {
          const document = { [phase]: [{ expressions, actions: [{ type: 'deny' }] }] };
          const source = new SourceText('policy.json', JSON.stringify(document));
          const { policy, diagnostics } = analyzePolicy(source, { profile, endpoint, environments });
          expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
          const simulation = createSimulation(policy!, { profile, environments });
          const others = whole.requestHeaders.fields.filter(({ name }) => name.toLowerCase() !== 'x-a');
          const statusOf = (facts: Partial<HeaderFacts>) =>
            simulation.decide({ ...whole, requestHeaders: { ...whole.requestHeaders, fields: others, ...facts } })
              .rules[0]!.status;
          const possible = new Set(
            meaningsOf(written).map(values =>
              statusOf({ fields: [...others, ...values.map(value => ({ name: 'X-A', value }))] }),
            ),
          );
          const unclear = statusOf({ unclear: new Map([['x-a', written]]) });
          // It may fail for different reasons.
          if (possible.size === 1 && possible.has('failed')) return;
          const expected = possible.size === 1 ? [...possible][0] : 'undetermined';
          expect([expressions, unclear]).toEqual([expressions, expected]);
          if (possible.size === 1) settled++;
        },
      ),
      { numRuns: runs(10, 400) },
    );
    expect(settled).toBeGreaterThan(0);
  });
});

/** What a header may have been that a recording has as this string: servers join several values with commas. */
function meaningsOf(written: string): readonly (readonly string[])[] {
  const [first = '', ...others] = written.split(',');
  if (others.length === 0) return [[], [written], ['']];
  // Each comma is part of a value, or between two.
  return Array.from({ length: 2 ** others.length }, (_, choice) => {
    const values = [first];
    for (const [at, part] of others.entries()) {
      if ((choice >> at) % 2 === 1) values.push(part);
      else values.push(`${values.pop()},${part}`);
    }
    return values.map(value => value.trim());
  });
}

/** Conditions on one header. */
function headerTests(map: string, key: string): fc.Arbitrary<string> {
  const value = fc.constantFrom('1', '-', '', 'a').map(text => `'${text}'`);
  const name = `'${key}'`;
  const leaf = fc.oneof(
    fc.constantFrom(`${name} in ${map}`, `!(${name} in ${map})`, `size(${map}[${name}]) == 1`),
    value.map(text => `${map}[${name}][0] == ${text}`),
    value.map(text => `${map}[${name}] != [${text}]`),
    value.map(text => `${map}[${name}].exists(v, v.startsWith(${text}))`),
    value.map(text => `${map}[${name}][0].startsWith(${text})`),
    value.map(text => `${text} in ${map}[${name}]`),
  );
  return fc.oneof(
    leaf,
    leaf.map(one => `!(${one})`),
    fc.tuple(leaf, fc.constantFrom('&&', '||'), leaf).map(all => all.join(' ')),
    leaf.map(one => `${name} in ${map} ? ${one} : false`),
  );
}
