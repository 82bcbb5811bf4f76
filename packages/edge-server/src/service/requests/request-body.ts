import type { Diagnostic } from '@tollgate/diagnostics';
import { type OperationId, operationOf, type Path } from '@tollgate/edge-api';
import { ApiError, refused } from '../../api/api-error.ts';
import { isMembers, type Members } from '../../api/members.ts';
import type { ApiRequest, ServiceContext } from '../records/context.ts';
import { analyseRequest, refuseWrongPolicy } from './policy-check.ts';

/** A valid body, including its policy. */
export interface ValidBody {
  readonly value: Members;
  /** The path of the content in the body as sent. */
  readonly at: Path;
  /** Warnings about its policy. */
  readonly warnings: readonly Diagnostic[];
}

/** Options of the body check. */
export interface BodyCheck {
  /** Whether to report warnings about the policy. */
  readonly withWarnings: boolean;
}

/** Parses and validates the body of a request: unknown fields, values, then the policy, if any. @throws ApiError */
export async function validBody(
  context: ServiceContext,
  request: ApiRequest,
  { withWarnings }: BodyCheck,
): Promise<ValidBody> {
  const body = parseJson(request.text);
  const { id, text, path } = request;
  const checked = context.validator.body(id, body, path);
  const findings = await analyseRequest(context, { id, text, errorsOnly: !withWarnings }, body);
  if (checked.ok) {
    return { value: checked.value, at: contentPath(id, body), warnings: refuseWrongPolicy(findings) };
  }
  throw new ApiError({ kind: 'faults', faults: checked.faults, ...(findings && { details: findings.details }) });
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
