import type { Diagnostic } from '@tollgate/diagnostics';
import { ApiError, refused } from './api-error.ts';
import type { ApiRequest, ServiceContext } from './context.ts';
import type { Members } from './members.ts';
import { analyseRequest, refuseWrongPolicy } from './policy-check.ts';

/** A body that is valid by itself, its policy included. */
export interface ValidBody {
  readonly value: Members;
  /** What is doubtful, but not wrong, about its policy. */
  readonly warnings: readonly Diagnostic[];
}

/** Parses and checks the body of a request: unknown fields, values, then the policy that it may hold. @throws ApiError */
export function validBody(context: ServiceContext, request: ApiRequest): ValidBody {
  const body = parseJson(request.text);
  const findings = () => analyseRequest(context, request, body);
  const checked = context.validator.body(request.id, body, request.path);
  if (checked.ok) return { value: checked.value, warnings: refuseWrongPolicy(findings()) };
  const details = findings()?.details;
  throw new ApiError({ kind: 'faults', faults: checked.faults, ...(details && { details }) });
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
