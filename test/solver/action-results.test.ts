import { PROFILES, phasesAt, variablesAt } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { PolicyQuestions, SolverSession } from '@tollgate/solver';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs } from '../support/runs.ts';

// Asks whether rules can match and fail that test with `has()` what may be absent: results of actions that ran, that did not, and variables
// without a value. What is proved impossible is attacked with exchanges.

/** One of this many variables is tested. */
const STRIDE = runs(24, 1);
const ENDPOINT = 'https-route';
const ATTACKS = Array.from({ length: 40 }, (_, at) => EXCHANGES[(at * 97) % EXCHANGES.length]!);

const CASES = PROFILES.flatMap(profile =>
  phasesAt(profile, ENDPOINT).flatMap(phase =>
    variablesAt(profile, { endpoint: ENDPOINT, phase })
      .filter(({ setBy, absent }) => setBy !== undefined || absent !== undefined)
      .map(fact => ({ profile, phase, fact })),
  ),
).filter((_, at) => at % STRIDE === 0);

/** Tests of a path and of what contains it. */
function expressionsAbout(path: string): readonly string[] {
  const parent = path.slice(0, path.lastIndexOf('.'));
  const [own, outer] = [`has(${path})`, `has(${parent})`];
  return [own, `!${own}`, outer, `!${outer}`, `${own} && ${outer}`, `${own} && !${outer}`, `!${own} || ${outer}`];
}

it('knows nothing wrong about results of actions that may be absent', { timeout: 600_000 }, () => {
  const counts = { questions: 0, impossible: 0 };
  for (const { profile, phase, fact } of CASES) {
    const action = profile.actions.find(one => one.type === fact.setBy);
    const setting = action?.example === undefined ? [] : [{ actions: [{ type: action.type, config: action.example }] }];
    const context = { profile, endpoint: ENDPOINT, environments: createPhaseEnvironments(profile, ENDPOINT) } as const;
    for (const expression of expressionsAbout(fact.path)) {
      for (const before of [[], setting]) {
        const rules = [...before, { expressions: [expression], actions: [{ type: 'deny' }] }];
        const source = new SourceText('policy.json', JSON.stringify({ [phase]: rules }));
        const { policy, diagnostics } = analyzePolicy(source, context);
        if (policy === undefined || diagnostics.some(({ severity }) => severity === 'error')) continue;
        const all = profile.phases.flatMap(one => policy.rules[one]);
        const rule = policy.rules[phase].at(-1)!;
        const questions = new PolicyQuestions(new SolverSession(context), policy);
        const [match, failure] = [questions.canMatch(rule).kind, questions.canFail(rule).kind];
        counts.questions++;
        if (match === 'impossible') counts.impossible++;
        const simulation = createSimulation(policy, context);
        for (const exchange of ATTACKS) {
          const { status } = simulation.decide(exchange).rules[all.indexOf(rule)]!;
          const isRefuted =
            (match === 'impossible' && status === 'matched') || (failure === 'impossible' && status === 'failed');
          if (isRefuted) expect({ profile: profile.name, rules, status }).toBe('impossible');
        }
      }
    }
  }
  // The claims above must be about something.
  expect(counts.questions).toBeGreaterThan(CASES.length);
  expect(counts.impossible).toBeGreaterThan(0);
});
