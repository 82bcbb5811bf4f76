import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type Fault, type OperationId, operationOf, type Path, pathParameters } from '@tollgate/edge-api';
import { type Details, refuseAny } from '../../api/api-error.ts';
import { isMembers, type Members, membersAt, textAt } from '../../api/members.ts';
import { diagnosticDetails, policyFault } from '../../policy/policy-faults.ts';
import { requestSource, type Traffic } from '../../policy/policy-place.ts';
import type { ApiRequest, ServiceContext } from '../records/context.ts';

const TRAFFIC: Readonly<Record<string, Traffic>> = {
  https_edge_route: 'http',
  tls_edge: 'tls',
  tcp_edge: 'tcp',
  endpoint: 'http',
};

/** What the analysis of a request's policy found. */
export interface PolicyFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly faults: readonly Fault[];
  readonly details: Details;
}

/** Analyses the policy that the body of a request holds, at its place in the text as sent. Undefined when it holds none. */
export async function analyseRequest(
  context: Pick<ServiceContext, 'policies'>,
  { id, text, errorsOnly }: Pick<ApiRequest, 'id' | 'text'> & { readonly errorsOnly: boolean },
  body: unknown,
): Promise<PolicyFindings | undefined> {
  if (!isMembers(body)) return undefined;
  const traffic = TRAFFIC[operationOf(id).record];
  const place = traffic && placeOf(id, body);
  if (!traffic || !place) return undefined;
  const { path, value } = place;
  const isText = typeof value === 'string';
  const source = isText ? new SourceText(path.join('.'), value) : requestSource(text);
  const steps = path.map(String);
  const part = isText || steps.length === 0 ? {} : { part: { document: undefined, steps } };
  const where = { source, ...part, traffic: trafficOf(body, traffic), anyDialect: isText, errorsOnly };
  const found = await context.policies.analyse(where);
  const diagnostics = found.filter(one => !isPathParameter(id, one));
  return { diagnostics, ...(await explained(diagnostics, source, isText ? path : undefined)) };
}

/** Errors as the API answers them, at the field that they are in; a policy that is a text of its own is one field. */
async function explained(
  diagnostics: readonly Diagnostic[],
  source: SourceText,
  field: Path | undefined,
): Promise<Pick<PolicyFindings, 'faults' | 'details'>> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { faults: [], details: {} };
  const { pathAt } = await import('../../policy/path-at.ts');
  return {
    faults: errors.map(one => policyFault(one, source, field ?? pathAt(source.text, one.range.start))),
    details: diagnosticDetails(diagnostics, source),
  };
}

/** Refuses a policy with errors; gives the warnings otherwise. */
export function refuseWrongPolicy(findings: PolicyFindings | undefined): readonly Diagnostic[] {
  if (!findings) return [];
  refuseAny(findings.faults, findings.details);
  return findings.diagnostics;
}

/** The module may be wrapped, as one client sends it; a text is a policy of its own. */
function placeOf(id: OperationId, body: Members): { readonly path: Path; readonly value: unknown } | undefined {
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
  const value = textAt(module ?? body, 'value');
  return value === undefined ? undefined : { path: [...path, 'value'], value };
}

/** What an endpoint's URL says it serves. */
function trafficOf(body: Members, known: Traffic): Traffic {
  const url = textAt(body, 'url') ?? '';
  return url.startsWith('tls:') ? 'tls' : url.startsWith('tcp:') ? 'tcp' : known;
}

/** Clients repeat the parameters of the path beside the keys of the policy. */
function isPathParameter(id: OperationId, { code, args }: Diagnostic): boolean {
  return code === 'policy/unknown-key' && pathParameters(operationOf(id).path).includes(String(args.key));
}
