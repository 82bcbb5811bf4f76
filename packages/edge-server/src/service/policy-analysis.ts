// The analysis of a policy in a request, for every profile it may be written for, and its faults in words of the API.
// Runs on threads only.

import {
  type ActionFact,
  EDGE_V2,
  EDGE_V2_SNAKE,
  type EndpointKind,
  PROFILES,
  type Profile,
  REFUSALS,
  refusalOf,
} from '@tollgate/catalog';
import { type Diagnostic, humanPosition, jsonDiagnostics, SourceText } from '@tollgate/diagnostics';
import { type ErrorNumber, type Fault, faultAt, isErrorNumber, type Path } from '@tollgate/edge-api';
import {
  type ActiveRule,
  createLinter,
  LINT_RULES,
  type Linter,
  lintText,
  mayReport,
  resolveRules,
} from '@tollgate/lint';
import {
  type AnalysisOptions,
  createExpressionCache,
  createPhaseEnvironments,
  type DocumentNode,
  detectProfile,
  type PhaseEnvironments,
  parseDocuments,
} from '@tollgate/policy';

/** Returns errors for what the service rejects, and warnings for all other findings. */
export type PolicyAnalyser = (place: PolicyInRequest) => readonly Diagnostic[];

const EDGE_ENDPOINTS = {
  http: 'https-route',
  tls: 'tls-edge',
  tcp: 'tcp-edge',
} as const satisfies Record<Traffic, EndpointKind>;
const CLOUD_ENDPOINTS = {
  http: 'http-endpoint',
  tls: 'tls-endpoint',
  tcp: 'tcp-endpoint',
} as const satisfies Record<Traffic, EndpointKind>;

/** With more errors than this, the detected profile is the right one and the policy is wrong: analysing it again would only take time. */
const MANY = 20;

/** Creates an analyser that builds environments on first use and checks each distinct expression once. */
export function createPolicyAnalyser(lint: PolicyLint): PolicyAnalyser {
  const targetOf = createTargets();
  const linters = createLinters(lint);
  return place => {
    const { source, part, traffic, errorsOnly } = place;
    const run = (target: Target, linter: Linter) =>
      lintText(source, { ...target, ...(part && { part }) }, linter).diagnostics;
    const errorsOf = (profile: Profile) =>
      run(targetOf(profile, traffic, lint !== 'error'), linters.refusing).filter(isError);
    const [detected, ...others] = candidateProfiles(place);
    const found = errorsOf(detected!);
    const isWrong = (profile: Profile) => found.length > MANY || errorsOf(profile).length > 0;
    const fitting = found.length === 0 ? detected : others.find(profile => !isWrong(profile));
    const errors = fitting ? [] : found;
    if (errorsOnly) return errors;
    const all = run(targetOf(fitting ?? detected!, traffic, false), linters.all);
    return [...errors, ...all.flatMap(one => asWarning(one, errors))].toSorted((a, b) => a.range.start - b.range.start);
  };
}

/** An error that is not among the reasons for a refusal is only a warning. */
function asWarning(found: Diagnostic, errors: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!isError(found)) return [found];
  const { start, end } = found.range;
  const isKnown = errors.some(({ range }) => range.start >= start && range.end <= end);
  return isKnown ? [] : [{ ...found, severity: 'warning' }];
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

type Target = Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments' | 'expressions'>;

function createTargets(): (profile: Profile, traffic: Traffic, isOpen: boolean) => Target {
  const made = new Map<string, Target>();
  const expressions = createExpressionCache();
  return (given, traffic, isOpen) => {
    const endpoint = [EDGE_ENDPOINTS[traffic], CLOUD_ENDPOINTS[traffic]].find(one => given.endpoints.includes(one))!;
    const key = `${given.name} ${endpoint} ${isOpen}`;
    const known = made.get(key);
    if (known) return known;
    const profile = isOpen ? openConnection(given) : given;
    const environments: PhaseEnvironments = createPhaseEnvironments(profile, endpoint);
    const target = { profile, endpoint, environments, expressions };
    made.set(key, target);
    return target;
  };
}

const REFUSED: ReadonlySet<string> = new Set(REFUSALS.flatMap(({ codes }) => codes));

/** Creates linters with the lint rules that reject policies, and with all that run. Rules whose finding is a documented refusal always run. */
function createLinters(lint: PolicyLint): { readonly all: Linter; readonly refusing: Linter } {
  const { active, adjust } = resolveRules(LINT_RULES, undefined, []);
  const refuses = (one: ActiveRule) => mayReport(one, 'error') && (lint === 'error' || REFUSED.has(one.rule.id));
  const refusing = createLinter(active.filter(refuses), { adjust });
  return { refusing, all: lint === 'off' ? refusing : createLinter(active, { adjust }) };
}

/** The error for diagnostics without a number of their own. */
const OTHER: ErrorNumber = 9026;

/** Converts a diagnostic to an API error with line and column. */
export function policyFault(diagnostic: Diagnostic, source: SourceText, path: Path): Fault {
  const { code, message, range } = diagnostic;
  const { line, column } = humanPosition(source, range.start);
  const shown = withShortNames(message);
  const value = `${line}:${column} ${code}: ${shown}`;
  const refusal = refusalOf(diagnostic);
  const number = refusal !== undefined && isErrorNumber(refusal) ? refusal : OTHER;
  return faultAt(path, number, { value }, quotedIn(shown));
}

/** Returns all diagnostics in the format of the command line's JSON report. */
export function diagnosticDetails(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
): Readonly<Record<string, string>> {
  return {
    diagnostics: JSON.stringify(jsonDiagnostics({ sources: [source], diagnostics: diagnostics.map(shortened) })),
  };
}

/** The most characters of a name or value of a policy in a response: in the policy, it may be of any length. */
const LONGEST = 100;

/** Fixes stay as they are: a part of one would be another. */
function shortened(diagnostic: Diagnostic): Diagnostic {
  const { message, args } = diagnostic;
  const short = Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]);
  return { ...diagnostic, message: withShortNames(message), args: Object.fromEntries(short) };
}

function withShortNames(message: string): string {
  return message.replace(/`([^`]*)`/g, (_, quoted: string) => `\`${cut(quoted)}\``);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Returns how many characters of a message are quoted, which are mostly from the policy. */
function quotedIn(message: string): number {
  return [...message.matchAll(/`([^`]*)`/g)].reduce((sum, [, quoted = '']) => sum + quoted.length, 0);
}

/**
 * Returns a function for the path of the innermost value at an offset of a JSON document, or of the value whose key is there. The document
 * is parsed once; each path then takes logarithmic time per level.
 */
export function pathFinder(text: string): (offset: number) => Path {
  const [root] = parseDocuments(new SourceText('body.json', text));
  const children = new Map<DocumentNode, readonly LocatedValue[]>();
  const childrenOf = (node: DocumentNode): readonly LocatedValue[] => {
    const made = children.get(node) ?? childValues(node);
    children.set(node, made);
    return made;
  };
  return offset => {
    const path: PropertyKey[] = [];
    for (let place = root && lastBefore(childrenOf(root), offset); place; ) {
      const { range } = place.node;
      if (offset > range.end) break;
      path.push(place.key);
      if (offset < range.start) break;
      place = lastBefore(childrenOf(place.node), offset);
    }
    return path;
  };
}

/** A value, and where it starts, including its key. */
interface LocatedValue {
  readonly key: PropertyKey;
  readonly start: number;
  readonly node: DocumentNode;
}

function childValues(node: DocumentNode): readonly LocatedValue[] {
  if (node.kind === 'list') return node.items.map((item, key) => ({ key, start: item.range.start, node: item }));
  if (node.kind !== 'map') return [];
  const entries = node.entries.map(({ key, keyRange, value }) => ({ key, start: keyRange.start - 1, node: value }));
  return entries.toSorted((a, b) => a.start - b.start);
}

/** Returns the last place that starts at or before an offset. Places are in text order. */
function lastBefore(values: readonly LocatedValue[], offset: number): LocatedValue | undefined {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return values[low - 1];
}

/** Returns the profiles that a policy may be written in, the detected one first. The object of `/policy` has the phases of the older two. */
function candidateProfiles({ source, form }: Pick<PolicyInRequest, 'source' | 'form'>): readonly Profile[] {
  const detected = detectProfile(source.text).profile;
  const possible = form === 'object' ? [EDGE_V2, EDGE_V2_SNAKE] : PROFILES;
  return possible.toSorted((a, b) => Number(b.name === detected.name) - Number(a.name === detected.name));
}

/** As many as the analysis reports of its own. */
const MAX_FINDINGS = 200;

/** Returns at most {@link MAX_FINDINGS} errors and as many others, in their order. If there are more, the last one says so. */
export function mostImportant(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const counts = { errors: 0, others: 0 };
  const kept = found.filter(({ severity }) => {
    const kind = severity === 'error' ? 'errors' : 'others';
    counts[kind] += 1;
    return counts[kind] <= MAX_FINDINGS;
  });
  const last = kept.at(-1);
  if (!last || kept.length === found.length) return kept;
  const message = `${found.length - kept.length} more findings; they are not shown`;
  const args = { limit: 'maxDiagnostics', value: MAX_FINDINGS };
  return [...kept, { ...last, code: 'limit/diagnostics', severity: 'info', message, args, related: [], fixes: [] }];
}

/**
 * Returns a profile whose variables of the connection and whose `deny` are the same on every endpoint and in every phase. The service accepts
 * `conn.tls` wherever a connection is, also where its value is never known, and `status_code` where there is no response (part A 2.13).
 */
function openConnection(profile: Profile): Profile {
  const { phases, endpoints, variables, actions } = profile;
  const open = variables.map(fact => (fact.path.startsWith('conn.') ? { ...fact, phases, endpoints } : fact));
  const plain = actions.map(fact => (fact.type === 'deny' ? { ...fact, config: fact.config.map(anywhere) } : fact));
  return { ...profile, variables: open, actions: plain };
}

type ConfigField = ActionFact['config'][number];

function anywhere({ phases, endpoints, ...field }: ConfigField): ConfigField {
  return field;
}

/** What findings of lint rules mean for a policy in a request: ignored, warnings of dry runs, or reasons to reject it. */
export type PolicyLint = 'off' | 'warn' | 'error';

/** The kind of traffic that a policy applies to. */
export type Traffic = 'http' | 'tls' | 'tcp';

/** A policy to analyse: where it is and what traffic it applies to. */
interface PolicyInRequest {
  readonly source: SourceText;
  /** The path of the policy in the source; the whole source if absent. */
  readonly part?: { readonly document: undefined; readonly steps: readonly string[] };
  readonly traffic: Traffic;
  /** The object of `/policy`, or the string of `/traffic_policy`, which may be of any profile. */
  readonly form: 'object' | 'text';
  /** Whether to return only errors, which takes far less time. */
  readonly errorsOnly: boolean;
}

/** Returns the source text of a request body. */
export function requestSource(text: string): SourceText {
  return new SourceText('body', text);
}

/**
 * A policy is stored as it was sent: as the object of `/policy`, or as the string of `/traffic_policy`. The check of a string adds its object
 * form, because reading a large string takes long.
 */
