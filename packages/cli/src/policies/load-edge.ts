import { hasErrors, preparePolicy } from '@tollgate/core/documents';
import type { Target } from '@tollgate/core/targeting';
import { type Diagnostic, ExternalError, type Report, SourceText } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { type Edge, type Route, readEdge } from '@tollgate/simulator';
import { readSource } from '../input/read-source.ts';
import type { Terminal } from '../process/terminal.ts';
import { loadTarget, type PolicySettings, type Refusal } from './load-policy.ts';

/** An edge whose policies have no errors; its report contains warnings at most. */
export interface LoadedEdge {
  readonly edge: Edge;
  readonly policies: ReadonlyMap<Route, Policy>;
  readonly target: Target;
  readonly report: Report;
}

/** Loads an edge in the form that the API returns. Throws an {@link ExternalError} if it cannot be read. */
export async function loadEdge(
  file: string,
  settings: PolicySettings,
  terminal: Terminal,
): Promise<LoadedEdge | Refusal> {
  const source = await readSource(file, terminal);
  if (source instanceof Error) throw source;
  const target = await loadTarget(source, { ...settings, endpoint: 'https-route' }, terminal);
  if ('refused' in target) return target;
  const { edge, value } = edgeIn(source);
  const { policies, sources, diagnostics } = analyzeRoutes({ edge, value, source }, target);
  const report = { sources, diagnostics };
  if (hasErrors(diagnostics)) return { refused: report };
  return { edge, policies, target, report };
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

/** Returns the policy at the path if it is a string in `value`. */
function policyText(value: unknown, steps: readonly string[]): string | undefined {
  let at = value;
  for (const step of [...steps, 'value']) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = new Map<string, unknown>(Object.entries(at)).get(step);
  }
  return typeof at === 'string' ? at : undefined;
}
