// Reads a request body and finds the policy in it. Its result is plain data, so that threads can send it.

import type { Diagnostic } from '@tollgate/diagnostics';
import { type Fault, type OperationId, operationOf, type Path, type Validator } from '@tollgate/edge-api';
import {
  ApiError,
  type Details,
  isMembers,
  type Members,
  membersAt,
  type Refusal,
  refuseAny,
  refused,
  stringAt,
} from '../api-error.ts';
import type { Traffic } from './policy-analysis.ts';

/** A request body to check. Plain data, so that it can be sent to a thread. */
export interface BodyRequest {
  readonly id: OperationId;
  /** The body as sent. */
  readonly text: string;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Whether to report warnings about the policy. */
  readonly withWarnings: boolean;
}

/** A valid body, including its policy. */
export interface ValidBody {
  readonly value: Members;
  /** The path of the content in the body as sent. */
  readonly at: Path;
  /** Warnings about its policy. */
  readonly warnings: readonly Diagnostic[];
}

/** A valid body, or why it is refused. */
export type CheckedBody =
  | { readonly ok: true; readonly body: ValidBody }
  | { readonly ok: false; readonly refusal: Refusal };

/** A parsed body whose policy is to be analysed. */
export interface PolicyInBody extends Pick<BodyRequest, 'id' | 'text'> {
  readonly body: unknown;
  readonly errorsOnly: boolean;
}

/** The result of analysing the policy in a request. */
export interface PolicyFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly faults: readonly Fault[];
  readonly details: Details;
  /** The object form of a policy that is sent as a string, null if it has none; undefined for policies sent as objects. */
  readonly object?: Members | null;
}

/** What bodies are checked with. */
interface BodyChecker {
  readonly validator: Validator;
  /** Returns undefined for a body without a policy. */
  readonly analyse: (policy: PolicyInBody) => PolicyFindings | undefined;
}

/** Parses and validates the body of a request: unknown fields, values, then the policy, if any. */
export function checkBody(request: BodyRequest, checker: BodyChecker): CheckedBody {
  try {
    return { ok: true, body: validBody(request, checker) };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function validBody({ id, path, withWarnings, ...sent }: BodyRequest, { validator, analyse }: BodyChecker): ValidBody {
  // Clients send no body for an update or a module of which their caller gives nothing (part B 8.4).
  const text = sent.text === '' && operationOf(id).verb !== 'POST' ? '{}' : sent.text;
  const body = parseJson(text);
  const checked = validator.body(id, body, path);
  const findings = analyse({ id, text, body, errorsOnly: !withWarnings });
  if (!checked.ok) {
    throw new ApiError({ kind: 'faults', faults: checked.faults, ...(findings && { details: findings.details }) });
  }
  refuseAny(findings?.faults ?? [], findings?.details);
  const { diagnostics = [], object } = findings ?? {};
  return { value: withPolicy(id, checked.value, object), at: contentPath(id, body), warnings: diagnostics };
}

/** Both forms of a policy are stored in one field of a record. One that was sent as a string has its object form next to it. */
function withPolicy(id: OperationId, value: Members, object: Members | null | undefined): Members {
  const { kind, record } = operationOf(id);
  if (kind === 'replace-module') return object === undefined ? value : { ...value, object };
  if (record === 'endpoint' || !('traffic_policy' in value)) return value;
  const { traffic_policy: text, ...others } = value;
  return isMembers(text) ? { ...others, policy: { ...text, object } } : others;
}

/** Returns the path of the content. One client wraps modules. */
function contentPath(id: OperationId, body: unknown): Path {
  const isWrapped = operationOf(id).kind === 'replace-module' && isMembers(body) && isMembers(body.module);
  return isWrapped ? ['module'] : [];
}

function parseJson(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    const repeated = repeatedMember(text);
    if (repeated === undefined) return body;
    const { name, offset } = repeated;
    throw refused(213, { value: `the member '${name.slice(0, 100)}' is repeated at position ${offset}` });
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    // The parser's message quotes its input, which may contain a secret: report only the position.
    const [place = 'it is not JSON'] = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(cause)) ?? [];
    throw refused(213, {
      value: text.trim() === '' ? 'it is empty' : `unexpected text ${place}`.replace(/^unexpected text it/, 'it'),
    });
  }
}

/** The strings, braces and brackets of JSON; numbers, literals and space are of no interest. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Returns the first member of a JSON text whose object has one of the same name before, as policy files may not have either. */
function repeatedMember(text: string): { readonly name: string; readonly offset: number } | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token.startsWith('"') && (last === '{' || last === ',')) {
      const names = open.at(-1);
      // In any spelling: `\u0061` is `a`.
      const name = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
      if (names?.has(name)) return { name, offset: index };
      names?.add(name);
    }
    last = token;
  }
  return undefined;
}

const TRAFFIC: Readonly<Record<string, Traffic>> = {
  https_edge_route: 'http',
  tls_edge: 'tls',
  tcp_edge: 'tcp',
  endpoint: 'http',
};

/** The policy in a body. */
interface LocatedPolicy {
  readonly path: Path;
  readonly value: unknown;
  readonly traffic: Traffic;
}

/** Returns the policy in a parsed body; undefined if it contains none. */
export function locatePolicy(id: OperationId, body: unknown): LocatedPolicy | undefined {
  if (!isMembers(body)) return undefined;
  const traffic = TRAFFIC[operationOf(id).record];
  const place = traffic && placeOf(id, body);
  return place && { ...place, traffic: trafficOf(body, traffic) };
}

/** A module may be wrapped, as one client does. */
function placeOf(id: OperationId, body: Members): Omit<LocatedPolicy, 'traffic'> | undefined {
  const { kind, field, record } = operationOf(id);
  if (kind === 'create' || kind === 'update') {
    if (record === 'endpoint') return textIn(body, ['traffic_policy']);
    const [object, module] = [membersAt(body, 'policy'), membersAt(body, 'traffic_policy')];
    if (object) return { path: ['policy'], value: object };
    return module && textIn(module, ['value'], ['traffic_policy']);
  }
  if (kind !== 'replace-module' || (field !== 'policy' && field !== 'traffic_policy')) return undefined;
  const module = membersAt(body, 'module');
  const path = module ? ['module'] : [];
  if (field === 'policy') return { path, value: module ?? body };
  return textIn(module ?? body, ['value'], path);
}

function textIn(
  body: Members,
  [key]: readonly [string],
  before: Path = [],
): Omit<LocatedPolicy, 'traffic'> | undefined {
  const value = stringAt(body, key);
  return value === undefined || value === '' ? undefined : { path: [...before, key], value };
}

/** Returns the kind of traffic that an endpoint's URL implies. */
function trafficOf(body: Members, known: Traffic): Traffic {
  const url = stringAt(body, 'url') ?? '';
  return url.startsWith('tls:') ? 'tls' : url.startsWith('tcp:') ? 'tcp' : known;
}
