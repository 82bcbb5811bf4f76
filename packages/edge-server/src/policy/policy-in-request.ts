import { SourceText } from '@tollgate/diagnostics';

/** The kind of traffic that a policy applies to. */
export type Traffic = 'http' | 'tls' | 'tcp';

/** A policy to analyse: where it is and what traffic it applies to. */
export interface PolicyInRequest {
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
