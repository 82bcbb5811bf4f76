// An edge, from a file or as it is published, with its policies ready to run.

import { hasErrors, preparePolicy } from '@tollgate/core/documents';
import type { Target, Targeting } from '@tollgate/core/targeting';
import { type Diagnostic, ExternalError, type Report, SourceText } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { type Edge, type Route, readEdge } from '@tollgate/simulator';
import { readSource } from '../input/read-source.ts';
import { loadTargeting, type PolicySettings, type Refusal } from '../policies/load-policy.ts';
import type { ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';

/** An edge whose policies have no errors; its report contains warnings at most. */
export interface LoadedEdge {
  readonly edge: Edge;
  readonly policies: ReadonlyMap<Route, Policy>;
  readonly target: Target;
  readonly report: Report;
}

/** Where an edge comes from. */
export interface EdgeSettings extends PolicySettings {
  /** The environment of a live target. */
  readonly environment?: string;
}

/**
 * Loads an edge in the form that the API returns: from a file, or for `live:TARGET` the edge of a target from its server. Throws an
 * {@link ExternalError} if it cannot be read.
 */
export async function loadEdge(
  argument: string,
  settings: EdgeSettings,
  terminal: Terminal,
): Promise<LoadedEdge | Refusal> {
  const source = await readEdgeSource(argument, settings, terminal);
  // Its reasons have been reported.
  if (typeof source === 'number') return { refused: { sources: [], diagnostics: [] } };
  const targetOf = await loadTargeting({ ...settings, endpoint: 'https-route' }, terminal);
  if ('refused' in targetOf) return targetOf;
  const { edge, value } = edgeIn(source);
  const target = targetOfRoutes({ edge, value, source }, targetOf);
  const { policies, sources, diagnostics } = analyzeRoutes({ edge, value, source }, target);
  const report = { sources, diagnostics };
  if (hasErrors(diagnostics)) return { refused: report };
  return { edge, policies, target, report };
}

async function readEdgeSource(
  argument: string,
  { environment }: EdgeSettings,
  terminal: Terminal,
): Promise<SourceText | ExitCode> {
  if (argument.startsWith('live:')) {
    const { readLiveEdge } = await import('./live-policies.ts');
    return readLiveEdge({ name: argument.slice('live:'.length), environment }, terminal);
  }
  const source = await readSource(argument, terminal);
  if (source instanceof Error) throw source;
  return source;
}

/** Returns the target of all policies of an edge. The profile is detected from the policies alone, and has to be the same for all. */
function targetOfRoutes(
  { edge, value, source }: EdgeFile & { readonly source: SourceText },
  targetOf: Targeting,
): Target {
  const texts = edge.routes.flatMap(({ policyAt }) => (policyAt === undefined ? [] : [textAt(value, policyAt)]));
  const targets = [...texts, ''].map(text => {
    const target = targetOf(new SourceText(source.uri, text));
    if (target instanceof Error) throw target;
    return target;
  });
  // A policy without names of variables may be of several profiles.
  const certain = targets.filter(({ detected }) => detected === undefined || detected.evidence !== undefined);
  const names = [...new Set(certain.map(({ profile }) => `\`${profile.name}\``))];
  if (names.length < 2) return certain[0] ?? targets[0]!;
  throw new ExternalError(
    'edge/mixed-profiles',
    `cannot read \`${source.uri}\`: its routes have policies of the profiles ${names.join(' and ')}; migrate them to one profile`,
  );
}

interface EdgeFile {
  readonly edge: Edge;
  /** The parsed JSON. */
  readonly value: unknown;
}

function edgeIn({ text, uri }: SourceText): EdgeFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('edge/no-json', `cannot read \`${uri}\` as an edge: invalid JSON: ${reason}`, { cause });
  }
  const reading = readEdge(value);
  if ('edge' in reading) return { edge: reading.edge, value };
  throw new ExternalError('edge/invalid', `cannot read \`${uri}\` as an edge: ${reading.faults.join('; ')}`);
}

interface RouteAnalyses {
  readonly policies: ReadonlyMap<Route, Policy>;
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
}

function analyzeRoutes(
  { edge, value, source }: EdgeFile & { readonly source: SourceText },
  target: Target,
): RouteAnalyses {
  const policies = new Map<Route, Policy>();
  const sources = [source];
  const diagnostics: Diagnostic[] = [];
  for (const route of edge.routes) {
    if (route.policyAt === undefined) continue;
    const text = policyText(value, route.policyAt);
    const inText = text === undefined ? undefined : new SourceText(`${source.uri}#/${route.policyAt.join('/')}`, text);
    if (inText) sources.push(inText);
    const part = { document: undefined, steps: route.policyAt };
    const prepared = preparePolicy(inText ? { source: inText, target } : { source, target, part });
    diagnostics.push(...prepared.diagnostics);
    if (prepared.runnable) policies.set(route, prepared.runnable.policy);
  }
  return { policies, sources, diagnostics };
}

/** Returns the text of the policy at the path, whether it is an object or a string in `value`. */
function textAt(value: unknown, steps: readonly string[]): string {
  return policyText(value, steps) ?? JSON.stringify(valueAt(value, steps));
}

/** Returns the policy at the path if it is a string in `value`. */
function policyText(value: unknown, steps: readonly string[]): string | undefined {
  const found = valueAt(value, [...steps, 'value']);
  return typeof found === 'string' ? found : undefined;
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = new Map<string, unknown>(Object.entries(at)).get(step);
  }
  return at;
}
