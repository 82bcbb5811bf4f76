import { SourceText } from '@tollgate/diagnostics';

/** What a policy is applied to. */
export type Traffic = 'http' | 'tls' | 'tcp';

/** A policy in a text, and what traffic it is for. */
export interface PolicyPlace {
  readonly source: SourceText;
  /** Where in the text it stands; without it, the text is the policy. */
  readonly part?: { readonly document: undefined; readonly steps: readonly string[] };
  readonly traffic: Traffic;
  /** Whether the dialect is told by the text; else it is that of `inbound` and `outbound`. */
  readonly anyDialect: boolean;
  /** Whether nothing is asked but if there are errors: without any, warnings are left out. */
  readonly errorsOnly: boolean;
}

/** A text as diagnostics of a request name it. */
export function requestSource(text: string): SourceText {
  return new SourceText('body', text);
}
