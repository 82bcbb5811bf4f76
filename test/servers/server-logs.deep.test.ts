import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, type RuleResult } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { installedServers, type RunningServer, type ServerLog } from './log-servers.ts';
import { headerPolicy, hostPolicy, policiesOver } from './sent-policies.ts';
import { numbered, numberIn, REFUSED, REQUESTS, send, WHOLE_URLS } from './sent-requests.ts';

// Sends known requests to real servers, and compares what policies decide on the logs with what they decide on what was sent.

const folder = mkdtempSync(join(tmpdir(), 'tollgate-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** Requests for each server, and policies. About 100,000 exchanges in all logs are compared under `npm run test:deep`. */
const REQUEST_COUNT = runs(20, 6300, 'SERVER_REQUESTS');
const POLICY_COUNT = runs(2, 15, 'SERVER_POLICIES');
const SEED = seed(20_261_128, 'SERVER_SEED');
/** Connections at a time. */
const AT_ONCE = 16;

const SERVERS = installedServers();
const PROFILE_NAMES = ['modern', 'edge-v2'] as const;

interface Prepared {
  /** The conditions of each rule. */
  readonly rules: readonly string[];
  readonly decide: (exchange: Exchange) => Decision;
}

const POLICIES: readonly Prepared[] = PROFILE_NAMES.flatMap(name => {
  const profile = PROFILES.find(one => one.name === name)!;
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const random = fc.sample(policiesOver(profile), { seed: SEED, numRuns: POLICY_COUNT });
  return [hostPolicy(profile), headerPolicy(profile), ...random].map(document => {
    const text = JSON.stringify(document);
    const { policy, diagnostics } = analyzePolicy(new SourceText('policy.json', text), {
      profile,
      endpoint,
      environments,
    });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const run = createSimulation(policy!, { profile, environments }).begin();
    const rules = profile.phases.flatMap(phase =>
      policy!.rules[phase].map(({ expressions }) => expressions.map(one => one.text.value).join(' && ')),
    );
    return { rules, decide: exchange => run.decide(exchange) };
  });
});

describe.each(SERVERS)('the logs of $name', server => {
  it('never contradict what was sent', async () => {
    const running = await server.start(folder);
    const sent = new Map<number, Exchange>();
    try {
      const requests = [
        ...WHOLE_URLS,
        ...fc.sample(REQUESTS, { seed: SEED, numRuns: REQUEST_COUNT }),
        ...fc.sample(REFUSED, { seed: SEED, numRuns: REQUEST_COUNT }),
      ];
      const queue = requests.entries();
      const worker = async () => {
        for (const [number, request] of queue) {
          const exchange = await send(numbered(request, number), running.port);
          if (exchange !== undefined) sent.set(number, exchange);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    } finally {
      await running.stop();
    }
    const knownOf = decidesSent(running.repeated);
    const found = await Promise.all(running.logs.map(log => comparison(log, sent, knownOf)));
    if (inject('isDeep'))
      console.log(
        found.map(one => `${server.name}, ${one.name}: ${one.compared} exchanges, ${one.certain} certain`).join('\n'),
      );
    expect(found.flatMap(({ contradictions }) => contradictions)).toEqual([]);
    // A log that is not read contradicts nothing.
    const least = REQUEST_COUNT / 2;
    expect(found.map(one => [one.name, one.compared > least, one.certain > least])).toEqual(
      found.map(one => [one.name, true, true]),
    );
  });
});

interface Comparison {
  readonly name: string;
  readonly compared: number;
  /** Decisions with one outcome. */
  readonly certain: number;
  /** What is certain by the log, and otherwise in fact: one for each rule of a policy. */
  readonly contradictions: readonly string[];
}

/** Decides what a log holds and what was sent. */
async function comparison(
  { name, file, options, showsTargets }: ServerLog,
  sent: ReadonlyMap<number, Exchange>,
  knownOf: (sent: Exchange) => readonly Claims[],
): Promise<Comparison> {
  const contradictions = new Map<string, string>();
  let compared = 0;
  let certain = 0;
  const found = new Set<number>();
  for await (const { exchanges } of readTraffic(file, options)) {
    for (const exchange of exchanges) {
      const number = numberIn(exchange.target) ?? -1;
      const whole = sent.get(number);
      // Where a log has no target, but a path, nothing shows that the authority of a whole URL counted, and not the recorded host.
      if (whole === undefined || (!showsTargets && hasTwoHosts(whole))) continue;
      compared++;
      if (found.has(number)) contradictions.set('count', `${name}: request ${number} is recorded twice`);
      found.add(number);
      const known = knownOf(whole);
      for (const [at, { rules, decide }] of POLICIES.entries()) {
        const told = claimsOf(decide(exchange));
        certain += told.outcomes.length === 1 ? 1 : 0;
        for (const [position, wrong] of contradictionsIn(told, known[at]!)) {
          const rule = rules[position] ?? 'the policy';
          const request = [
            whole.method,
            whole.target,
            whole.protocol,
            ...whole.requestHeaders.fields.map(one => `${one.name}: ${one.value}`),
          ];
          if (!contradictions.has(rule))
            contradictions.set(rule, `${name}: ${rule} ${wrong} for ${request.join(' | ')}`);
        }
      }
    }
  }
  return { name, compared, certain, contradictions: [...contradictions.values()] };
}

function hasTwoHosts({ target = '', requestHeaders }: Exchange): boolean {
  const [, authority] = /^http:\/\/([^/]*)/.exec(target) ?? [];
  return authority !== undefined && !requestHeaders.fields.some(one => one.name === 'Host' && one.value === authority);
}

/** Returns what each policy decides on what was sent, once for all logs. */
function decidesSent(repeated: RunningServer['repeated']): (sent: Exchange) => readonly Claims[] {
  const known = new Map<Exchange, readonly Claims[]>();
  return sent => {
    const found = known.get(sent);
    if (found !== undefined) return found;
    const whole = repeated === 'listed' ? sent : withoutRepeated(sent, repeated);
    const claims = POLICIES.map(({ decide }) => claimsOf(decide(whole)));
    known.set(sent, claims);
    return claims;
  };
}

/** What is said of a decision. */
interface Claims {
  readonly outcomes: readonly string[];
  readonly statuses: readonly RuleResult['status'][];
}

function claimsOf({ outcomes, rules }: Decision): Claims {
  return {
    outcomes: outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`),
    statuses: rules.map(({ status }) => status),
  };
}

/** Where a server logs one value of several, replays take it for the only one; so they do with headers that have one value by definition. */
function withoutRepeated(exchange: Exchange, kind: 'joined' | 'one'): Exchange {
  const { requestHeaders } = exchange;
  const names = requestHeaders.fields.map(({ name }) => name.toLowerCase());
  const single = kind === 'one' ? names : ['cookie'];
  const repeated = new Set(names.filter((name, at) => single.includes(name) && names.indexOf(name) !== at));
  const fields = requestHeaders.fields.filter(({ name }) => !repeated.has(name.toLowerCase()));
  return { ...exchange, requestHeaders: { ...requestHeaders, fields, withheld: [...repeated] } };
}

/** Returns what is certain of a decision, but otherwise in the one on all there is to know, by the number of the rule; -1 for the outcome. */
function contradictionsIn(told: Claims, known: Claims): readonly (readonly [rule: number, what: string])[] {
  const firstOpen = known.statuses.indexOf('undetermined');
  const rules = told.statuses.flatMap((status, at) => {
    const is = known.statuses[at]!;
    // That a rule does not match may be certain where it is not that it is reached.
    // What was sent may leave a decision open: a request without a host has no URL.
    const mayEndBefore = status === 'not-reached' && firstOpen >= 0 && firstOpen < at;
    const isOpen = status === 'undetermined' || is === 'undetermined' || mayEndBefore;
    const isRight = isOpen || status === is || (status !== 'matched' && is === 'not-reached');
    return isRight ? [] : [[at, `${status} is ${is}`] as const];
  });
  const isOpen = told.outcomes.length > 1 || known.outcomes.length > 1;
  const [outcome, actual] = [told, known].map(({ outcomes }) => outcomes.join(' or '));
  return isOpen || outcome === actual ? rules : [...rules, [-1, `${outcome} is ${actual}`]];
}
