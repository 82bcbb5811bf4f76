import { EDGE_V2, type EndpointKind, type Profile } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import {
  type AnalysisOptions,
  analyzePolicies,
  createExpressionCache,
  createPhaseEnvironments,
  detectProfile,
  type PartPath,
  type PhaseEnvironments,
} from '@tollgate/policy';

/** A policy in a text, and what traffic it is for. */
export interface PolicyPlace {
  readonly source: SourceText;
  /** Where in the text it stands; without it, the text is the policy. */
  readonly part?: PartPath;
  readonly traffic: Traffic;
  /** Whether the dialect is told by the text; else it is that of `inbound` and `outbound`. */
  readonly anyDialect: boolean;
}

/** What a policy is applied to. */
export type Traffic = 'http' | 'tls' | 'tcp';

/** Analyses policies as the command line does. */
export type PolicyAnalyser = (place: PolicyPlace) => readonly Diagnostic[];

const EDGE_ENDPOINTS = { http: 'https-route', tls: 'tls-edge', tcp: 'tcp-edge' } as const satisfies Record<
  Traffic,
  EndpointKind
>;
const CLOUD_ENDPOINTS = {
  http: 'http-endpoint',
  tls: 'tls-endpoint',
  tcp: 'tcp-endpoint',
} as const satisfies Record<Traffic, EndpointKind>;

/** An analyser that makes its environments when they are first needed, and checks an expression that it knows only once. */
export function createPolicyAnalyser(): PolicyAnalyser {
  const made = new Map<string, PhaseEnvironments>();
  const expressions = createExpressionCache();
  const target = (
    profile: Profile,
    traffic: Traffic,
  ): Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments'> => {
    const endpoint = [EDGE_ENDPOINTS[traffic], CLOUD_ENDPOINTS[traffic]].find(one => profile.endpoints.includes(one))!;
    const key = `${profile.name} ${endpoint}`;
    const environments = made.get(key) ?? createPhaseEnvironments(profile, endpoint);
    made.set(key, environments);
    return { profile, endpoint, environments };
  };
  return ({ source, part, traffic, anyDialect }) => {
    const profile = anyDialect ? detectProfile(source.text).profile : EDGE_V2;
    return analyzePolicies(source, { ...target(profile, traffic), expressions, ...(part && { part }) }).diagnostics;
  };
}

/** A text as diagnostics of a request name it. */
export function requestSource(text: string): SourceText {
  return new SourceText('body', text);
}
