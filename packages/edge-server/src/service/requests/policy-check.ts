import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type Fault, type OperationId, operationOf, type Path, pathParameters } from '@tollgate/edge-api';
import { type Details, refuseAny } from '../../api/api-error.ts';
import { isMembers, type Members, membersAt, stringAt } from '../../api/members.ts';
import { diagnosticDetails, policyFault } from '../../policy/policy-faults.ts';
import { requestSource, type Traffic } from '../../policy/policy-in-request.ts';
import type { ApiRequest, ServiceContext } from '../records/context.ts';

const TRAFFIC: Readonly<Record<string, Traffic>> = {
  https_edge_route: 'http',
  tls_edge: 'tls',
  tcp_edge: 'tcp',
  endpoint: 'http',
};

/** The result of analysing the policy in a request. */
export interface PolicyFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly faults: readonly Fault[];
  readonly details: Details;
}

/** Analyses the policy in the body of a request; undefined if it contains none. Ranges refer to the body as sent. */
export async function analyseRequest(
  context: Pick<ServiceContext, 'policies'>,
  { id, text, errorsOnly }: Pick<ApiRequest, 'id' | 'text'> & { readonly errorsOnly: boolean },
  body: unknown,
): Promise<PolicyFindings | undefined> {
  if (!isMembers(body)) return undefined;
  const traffic = TRAFFIC[operationOf(id).record];
  const place = traffic && locatePolicy(id, body);
  if (!traffic || !place) return undefined;
  const { path, value } = place;
  const isText = typeof value === 'string';
  const source = isText ? new SourceText(path.join('.'), value) : requestSource(text);
  const steps = path.map(String);
  const part = isText || steps.length === 0 ? {} : { part: { document: undefined, steps } };
  const form = isText ? ('text' as const) : ('object' as const);
  const where = { source, ...part, traffic: trafficOf(body, traffic), form, errorsOnly };
  const found = await context.policies.analyse(where);
  const diagnostics = found.filter(one => !isPathParameter(id, one));
  return { diagnostics, ...(await explained(diagnostics, source, isText ? path : undefined)) };
}

/** Converts errors to faults at their fields. A policy in a string is a single field. */
async function explained(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
  field: Path | undefined,
): Promise<Pick<PolicyFindings, 'faults' | 'details'>> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { faults: [], details: {} };
  const { pathFinder } = await import('../../policy/path-finder.ts');
  const fieldAt = field ? () => field : pathFinder(source.text);
  return {
    faults: errors.map(one => policyFault(one, source, fieldAt(one.range.start))),
    details: diagnosticDetails(diagnostics, source),
  };
}

/** Throws an ApiError for a policy with errors; otherwise returns the warnings. */
export function refuseWrongPolicy(findings: PolicyFindings | undefined): readonly Diagnostic[] {
  if (!findings) return [];
  refuseAny(findings.faults, findings.details);
  return findings.diagnostics;
}

/** Returns the policy in a body and its path. A module may be wrapped, as one client does. */
function locatePolicy(id: OperationId, body: Members): { readonly path: Path; readonly value: unknown } | undefined {
  const { kind, field, record } = operationOf(id);
  if (kind === 'create' || kind === 'update') {
    const key = record === 'endpoint' ? 'traffic_policy' : 'policy';
    const value = body[key];
    return isMembers(value) || (typeof value === 'string' && value !== '') ? { path: [key], value } : undefined;
  }
  if (kind !== 'replace-module' || (field !== 'policy' && field !== 'traffic_policy')) return undefined;
  const module = membersAt(body, 'module');
  const path = module ? ['module'] : [];
  if (field === 'policy') return { path, value: module ?? body };
  const value = stringAt(module ?? body, 'value');
  return value === undefined ? undefined : { path: [...path, 'value'], value };
}

/** Returns the kind of traffic that an endpoint's URL implies. */
function trafficOf(body: Members, known: Traffic): Traffic {
  const url = stringAt(body, 'url') ?? '';
  return url.startsWith('tls:') ? 'tls' : url.startsWith('tcp:') ? 'tcp' : known;
}

/** Clients may repeat path parameters next to the keys of the policy. */
function isPathParameter(id: OperationId, { code, args }: Diagnostic): boolean {
  return code === 'policy/unknown-key' && pathParameters(operationOf(id).path).includes(String(args.key));
}
