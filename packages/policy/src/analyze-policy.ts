import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type DocumentLimits, readDocument } from './document/read-document.ts';
import { createPhaseEnvironments, type PhaseEnvironments } from './expression/place-environment.ts';
import type { Policy } from './model/policy.ts';
import { readPolicy } from './model/read-policy.ts';
import { Reporter } from './reporter.ts';

/** What a policy is analysed for. */
export interface AnalysisOptions {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** Those of {@link createPhaseEnvironments} for the same profile and endpoint, to share them between policies. */
  readonly environments?: PhaseEnvironments;
}

/** A policy and all that is wrong with it. */
export interface Analysis {
  /** What could be understood; undefined when the document holds no policy at all. */
  readonly policy: Policy | undefined;
  /** In the order of the document. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the expressions of each phase were checked in, and are to be compiled in. */
  readonly environments: PhaseEnvironments;
}

/**
 * Reads and checks a policy in YAML or JSON: its document, shape, names, phases, actions with their configuration, and
 * expressions. Reports everything that is wrong in one pass, at its place. Never throws, whatever the text.
 */
export function analyzePolicy(source: SourceText, options: AnalysisOptions): Analysis {
  const { profile, endpoint } = options;
  const environments = options.environments ?? createPhaseEnvironments(profile, endpoint);
  const limit = (name: string, otherwise: number) => profile.limits.find(one => one.name === name)?.value ?? otherwise;
  const reporter = new Reporter(source.uri, limit('maxDiagnostics', 200));
  const limits: DocumentLimits = {
    maxDocumentSize: limit('maxDocumentSize', 1_000_000),
    maxDocumentDepth: limit('maxDocumentDepth', 64),
    maxDocumentNodes: limit('maxDocumentNodes', 200_000),
  };
  const root = readDocument(source, limits, reporter);
  const policy =
    root && readPolicy(root, { uri: source.uri, document: source.text, profile, endpoint, environments, reporter });
  if (!root && reporter.isEmpty) reportEmpty(reporter);
  return { policy, diagnostics: reporter.finish(), environments };
}

function reportEmpty(reporter: Reporter): void {
  const message = 'the document is empty; a policy has `inbound` or `outbound`';
  reporter.report({ code: 'policy/empty-document', message, range: { start: 0, end: 0 }, args: {} });
}
