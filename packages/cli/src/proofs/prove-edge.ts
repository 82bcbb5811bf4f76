// Proves invariants about edges.

import type { Phase, Profile } from '@tollgate/catalog';
import { type Diagnostic, ExternalError, type SourceText } from '@tollgate/diagnostics';
import { NO_RULES, type Policy, type Rule } from '@tollgate/policy';
import { nameRange, proveInvariants } from '@tollgate/reports';
import { EdgeProver } from '@tollgate/solver';
import { readSource } from '../input/read-source.ts';
import { testedPath } from '../policies/load-policy.ts';
import type { Terminal } from '../process/terminal.ts';
import { type EdgeSettings, type LoadedEdge, loadEdge } from '../publish/load-edge.ts';
import type { InvariantGroup } from './find-invariants.ts';
import type { ProvedGroup, Refutation } from './prove-group.ts';

/** Returns the path of the edge that a file of invariants names instead of a policy; undefined if it names a policy. */
export async function edgeOf({ path, choice }: InvariantGroup, terminal: Terminal): Promise<string | undefined> {
  const { name, part } = testedPath(path, choice);
  if (part !== undefined || !name.endsWith('.json')) return undefined;
  const source = await readSource(name, terminal);
  return !(source instanceof Error) && isEdge(source) ? name : undefined;
}

/** An object with `routes` is an edge, whose faults are reported. */
function isEdge({ text }: SourceText): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'routes' in value;
  } catch {
    return false;
  }
}

/** Proves invariants about edges; each edge is read once. */
export class EdgeProofs {
  /** Problems in policies of routes. */
  readonly diagnostics: Diagnostic[] = [];
  readonly #settings: EdgeSettings;
  readonly #terminal: Terminal;
  readonly #known = new Map<string, Promise<EdgeProving>>();

  constructor(settings: EdgeSettings, terminal: Terminal) {
    this.#settings = settings;
    this.#terminal = terminal;
  }

  /** Proves the invariants of a group about an edge, whatever they were written for. Returns an error if it cannot be read. */
  async prove(group: InvariantGroup, file: string): Promise<ProvedGroup | ExternalError> {
    const proving = this.#known.get(file) ?? this.#load(file);
    this.#known.set(file, proving);
    try {
      return (await proving)(group);
    } catch (error) {
      if (error instanceof ExternalError) return error;
      throw error;
    }
  }

  async #load(file: string): Promise<EdgeProving> {
    const loaded = await loadEdge(file, this.#settings, this.#terminal);
    if (!('refused' in loaded)) return createEdgeProving(file, loaded);
    this.diagnostics.push(...loaded.refused.diagnostics);
    const { sources } = loaded.refused;
    return ({ path }) => ({
      path,
      policy: file,
      proved: [],
      testFor: () => undefined,
      sources,
      diagnostics: [],
      cases: [],
    });
  }
}

type EdgeProving = (group: InvariantGroup) => ProvedGroup;

function createEdgeProving(file: string, loaded: LoadedEdge): EdgeProving {
  const { edge, policies, target, report } = loaded;
  const { profile, environments } = target;
  const prover = new EdgeProver(edge, policies, { profile, environments });
  const rulesOf = (policy: Policy | undefined) => profile.phases.flatMap(phase => policy?.rules[phase] ?? []);
  const places = new Map(
    [...policies].flatMap(([route, policy]) => rulesOf(policy).map(rule => [rule, { route, policy }])),
  );
  const about = {
    policy: wholePolicy([...policies.values()], profile, file),
    profile,
    endpoint: 'https-route',
  } as const;
  const placeOf = (rule: Rule) => ({ uri: places.get(rule)!.policy.uri, range: nameRange(rule) });
  const rulesFor = ({ route }: Refutation) => rulesOf(route && policies.get(route));
  return group => ({
    path: group.path,
    policy: file,
    sources: report.sources,
    ...proveInvariants(group.invariants, { about, prover, rulesFor, placeOf }),
    routeOf: rule => places.get(rule)?.route.match,
    testFor: (claim, { exchange, route }) => {
      const expect = route && prover.expectationFor(claim, exchange, route);
      return expect && { policy: `${file}#/${route?.policyAt?.join('/')}`, expect };
    },
  });
}

/** Returns a policy with the rules of all routes, in which invariants look for the rules that they name. */
function wholePolicy(policies: readonly Policy[], { phases }: Profile, uri: string): Policy {
  const rules: Record<Phase, readonly Rule[]> = { ...NO_RULES };
  for (const phase of phases) rules[phase] = policies.flatMap(policy => policy.rules[phase]);
  const range = { start: 0, end: 0 };
  return { uri, endpoint: 'https-route', range, node: { kind: 'map', range, entries: [] }, enabled: true, rules };
}
