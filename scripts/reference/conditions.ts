import { readdirSync, readFileSync } from 'node:fs';
import { type EndpointKind, type Phase, PROFILES, type Profile } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicies, checkCondition, createPhaseEnvironments, type PhaseEnvironments } from '@tollgate/policy';
import { SolverSession } from '@tollgate/solver';
import { cellsOf, readCondition } from '@tollgate/solver/engine';

/** A condition of this repository, and which expressions in it the solver does not interpret. */
export interface KnownCondition {
  readonly source: string;
  readonly uninterpreted: readonly string[];
}

interface Target {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: PhaseEnvironments;
}

interface CheckedCondition {
  readonly source: string;
  readonly typed: TypedAst;
  readonly phase: Phase;
  readonly target: Target;
}

/** Returns the conditions in the examples of the catalog, the example policies and the fixtures of all dialects, each once. */
export function knownConditions(root: URL): readonly KnownCondition[] {
  const all = [...catalogConditions(), ...policyConditions(root)];
  const once = new Map(all.map(one => [one.source, one]));
  const sessions = new Map<Target, SolverSession>();
  return [...once.values()].map(({ source, typed, phase, target }) => {
    // Reading does not depend on what was read before.
    const session = sessions.get(target) ?? new SolverSession(target);
    sessions.set(target, session);
    return { source, uninterpreted: uninterpretedIn(typed, phase, session) };
  });
}

function uninterpretedIn(typed: TypedAst, phase: Phase, session: SolverSession): readonly string[] {
  const { vocabulary, context } = session;
  const reading = { ...session.reading(phase), versionOf: () => '' };
  const { whenTrue, whenFalse } = readCondition(typed, context.environments[phase], reading);
  const [found, seen] = [new Set<string>(), new Set<number>()];
  const todo = [whenTrue, whenFalse];
  for (let signal = todo.pop(); signal !== undefined; signal = todo.pop()) {
    if (seen.size === seen.add(Math.abs(signal)).size) continue;
    const gate = vocabulary.graph.gateOf(signal);
    if (gate.kind === 'and') todo.push(...gate.inputs);
    if (gate.kind !== 'atom') continue;
    for (const { uninterpreted } of cellsOf(vocabulary.meaningOf(signal)))
      if (uninterpreted !== undefined) found.add(uninterpreted);
  }
  return [...found];
}

function targetsOf(profile: Profile): readonly Target[] {
  return profile.endpoints.map(endpoint => ({
    profile,
    endpoint,
    environments: createPhaseEnvironments(profile, endpoint),
  }));
}

function catalogConditions(): readonly CheckedCondition[] {
  return PROFILES.flatMap(profile => {
    const targets = targetsOf(profile);
    const examples = [
      ...profile.variables.map(({ example }) => example),
      ...profile.functions.flatMap(({ examples: own }) => own),
    ];
    return examples.flatMap(({ expression, value }) => {
      const sources = [expression, `${expression} == ${value}`];
      return sources.map(source => checkedIn(source, targets)).find(one => one !== undefined) ?? [];
    });
  });
}

function checkedIn(source: string, targets: readonly Target[]): CheckedCondition | undefined {
  for (const target of targets) {
    const { profile, endpoint, environments } = target;
    for (const phase of profile.phases) {
      const { typed } = checkCondition(source, {
        profile,
        place: { endpoint, phase },
        environment: environments[phase],
      });
      if (typed !== undefined) return { source, typed, phase, target };
    }
  }
  return undefined;
}

function policyConditions(root: URL): readonly CheckedCondition[] {
  const namesIn = (folder: string) => readdirSync(new URL(folder, root)).filter(name => name.endsWith('.yaml'));
  const examples = namesIn('examples/policies/').map(name => ({ path: `examples/policies/${name}`, names: EXAMPLES }));
  const fixtures = namesIn('test/dialects/fixtures/').map(name => ({
    path: `test/dialects/fixtures/${name}`,
    names: name.split('.'),
  }));
  return [...examples, ...fixtures].flatMap(({ path, names: [profileName, endpoint] }) => {
    const profile = PROFILES.find(({ name }) => name === profileName)!;
    const target = targetsOf(profile).find(one => one.endpoint === endpoint)!;
    const { policies } = analyzePolicies(new SourceText(path, readFileSync(new URL(path, root), 'utf8')), target);
    const rules = policies.flatMap(policy => profile.phases.flatMap(phase => policy.rules[phase]));
    return rules.flatMap(({ phase, expressions }) =>
      expressions.flatMap(({ source, typed }) => (typed === undefined ? [] : [{ source, typed, phase, target }])),
    );
  });
}

const EXAMPLES = ['edge-v2', 'https-route'];
