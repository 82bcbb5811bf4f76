import type { Diagnostic } from '@tollgate/diagnostics';
import { type Fault, type OperationId, operationOf, type Path, type Validator } from '@tollgate/edge-api';
import { ApiError, type Details, type Refusal, refuseAny, refused } from '../../api/api-error.ts';
import { isMembers, type Members } from '../../api/members.ts';

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
  const value = object === undefined ? checked.value : { ...checked.value, object };
  return { value, at: contentPath(id, body), warnings: diagnostics };
}

/** Returns the path of the content. One client wraps modules. */
function contentPath(id: OperationId, body: unknown): Path {
  const isWrapped = operationOf(id).kind === 'replace-module' && isMembers(body) && isMembers(body.module);
  return isWrapped ? ['module'] : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message quotes its input, which may contain a secret: report only the position.
    const [place = 'it is not JSON'] = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(cause)) ?? [];
    throw refused(213, {
      value: text.trim() === '' ? 'it is empty' : `unexpected text ${place}`.replace(/^unexpected text it/, 'it'),
    });
  }
}
