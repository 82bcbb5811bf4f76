import type { Diagnostic } from '@tollgate/diagnostics';
import { type OperationId, operationOf, type Path } from '@tollgate/edge-api';
import { ApiError, refused } from '../../api/api-error.ts';
import { isMembers, type Members } from '../../api/members.ts';
import type { ApiRequest, ServiceContext } from '../records/context.ts';
import { analyseRequest, refuseWrongPolicy } from './policy-check.ts';

/** A body that is valid by itself, its policy included. */
export interface ValidBody {
  readonly value: Members;
  /** Where it stands in the body as sent. */
  readonly at: Path;
  /** What is doubtful, but not wrong, about its policy. */
  readonly warnings: readonly Diagnostic[];
}

/** How the body of a request is checked. */
export interface BodyCheck {
  /** Whether doubts about its policy are asked for as well. */
  readonly withWarnings: boolean;
}

/** Parses and checks the body of a request: unknown fields, values, then the policy that it may hold. @throws ApiError */
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
    return { value: checked.value, at: placeOfContent(id, body), warnings: refuseWrongPolicy(findings) };
  }
  throw new ApiError({ kind: 'faults', faults: checked.faults, ...(findings && { details: findings.details }) });
}

/** One client wraps modules. */
function placeOfContent(id: OperationId, body: unknown): Path {
  const isWrapped = operationOf(id).kind === 'replace-module' && isMembers(body) && isMembers(body.module);
  return isWrapped ? ['module'] : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser quotes what it could not read, which may hold a secret: only the place is told.
    const [place = 'it is not JSON'] = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(cause)) ?? [];
    throw refused(213, {
      value: text.trim() === '' ? 'it is empty' : `unexpected text ${place}`.replace(/^unexpected text it/, 'it'),
    });
  }
}
