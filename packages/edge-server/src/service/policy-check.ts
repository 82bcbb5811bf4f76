// The analysis of the policy in a request body. Runs on threads only.

import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type OperationId, operationOf, type Path, pathParameters } from '@tollgate/edge-api';
import { objectForm } from './answers.ts';
import type { PolicyAnalyser } from './policy-analysis.ts';
import { diagnosticDetails, mostImportant, pathFinder, policyFault, requestSource } from './policy-analysis.ts';
import type { PolicyFindings, PolicyInBody } from './request-body.ts';
import { locatePolicy } from './request-body.ts';

/** Returns a function that analyses the policy in a body. Ranges refer to the body as sent. */
export function createPolicyCheck(analyse: PolicyAnalyser): (request: PolicyInBody) => PolicyFindings | undefined {
  return ({ id, text, body, errorsOnly }) => {
    const place = locatePolicy(id, body);
    if (!place) return undefined;
    const { path, value, traffic } = place;
    const isText = typeof value === 'string';
    const source = isText ? new SourceText(path.join('.'), value) : requestSource(text);
    const steps = path.map(String);
    const part = isText || steps.length === 0 ? {} : { part: { document: undefined, steps } };
    const form = isText ? ('text' as const) : ('object' as const);
    const found = analyse({ source, ...part, traffic, form, errorsOnly });
    const diagnostics = mostImportant(found.filter(one => !isPathParameter(id, one)));
    const explanation = explained(diagnostics, source, isText ? path : undefined);
    const hasObject = isText && operationOf(id).record !== 'endpoint' && explanation.faults.length === 0;
    return { diagnostics, ...explanation, ...(hasObject && { object: objectForm(value) ?? null }) };
  };
}

/** Converts errors to faults at their fields. A policy in a string is a single field. */
function explained(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
  field: Path | undefined,
): Pick<PolicyFindings, 'faults' | 'details'> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { faults: [], details: {} };
  const fieldAt = field ? () => field : pathFinder(source.text);
  return {
    faults: errors.map(one => policyFault(one, source, fieldAt(one.range.start))),
    details: diagnosticDetails(diagnostics, source),
  };
}

/** Clients may repeat path parameters next to the keys of the policy. */
function isPathParameter(id: OperationId, { code, args }: Diagnostic): boolean {
  return code === 'policy/unknown-key' && pathParameters(operationOf(id).path).includes(String(args.key));
}
