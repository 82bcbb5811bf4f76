import type { Profile } from '@tollgate/catalog';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import {
  type Analysis,
  type AnalysisOptions,
  analyzePolicies,
  analyzePolicy,
  type EmbeddedSettings,
  type ExpressionCache,
  findPolicies,
  formatPolicy,
  isCertainPolicy,
  type ParsedSettings,
  type PartPath,
  readEdgeDocument,
  readInvariants,
  readTests,
} from '@tollgate/policy';
import type { Target } from './targeting.ts';

/** A document with policies, and what to check them for. */
export interface PolicyDocument {
  readonly source: SourceText;
  readonly target: Target;
  /** Undefined for the whole document. */
  readonly part?: PartPath | undefined;
  /** Documents that share a cache are checked faster. */
  readonly expressions?: ExpressionCache | undefined;
}

/** A policy without errors, and what to run it with. */
export interface RunnablePolicy {
  readonly policy: NonNullable<Analysis['policy']>;
  readonly profile: Profile;
  readonly environments: Analysis['environments'];
}

/** A policy to run, and the findings in it. */
export interface PreparedPolicy {
  /** Undefined if the policy has errors. */
  readonly runnable: RunnablePolicy | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the errors and warnings in all policies of a document. */
export function analyzeDocument(document: PolicyDocument): readonly Diagnostic[] {
  return analyzePolicies(document.source, optionsOf(document)).diagnostics;
}

/** Analyzes the policy of a document in order to run it. */
export function preparePolicy(document: PolicyDocument): PreparedPolicy {
  const { policy, environments, diagnostics } = analyzePolicy(document.source, optionsOf(document));
  if (policy === undefined || hasErrors(diagnostics)) return { runnable: undefined, diagnostics };
  return { runnable: { policy, profile: document.target.profile, environments }, diagnostics };
}

/** A document to format. */
export interface FormattableDocument extends PolicyDocument {
  /** What {@link analyzeDocument} returns for it, if that is known already. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
}

/** Returns a document in canonical layout with lines of at most `width` UTF-16 code units, or why it cannot be formatted. */
export function formatDocument(document: FormattableDocument, width = 100): ReturnType<typeof formatPolicy> {
  const { source, diagnostics } = document;
  const { quotes } = document.target;
  return formatPolicy(source, { ...optionsOf(document), width, quotes, ...(diagnostics && { diagnostics }) });
}

/** Returns true if one of the diagnostics is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** The options of a run that do not depend on the policy. */
export interface RunSettings {
  /** In ms since 1970-01-01T00:00:00Z; by default the time of each request. */
  readonly now?: number | undefined;
  readonly seed?: number | undefined;
  /** Scheme and host for requests with a path only. */
  readonly origin?: string | undefined;
}

/** Returns the options of a run in the form of the simulator. */
export function simulationOptions({ now, seed, origin }: RunSettings) {
  return {
    ...(now !== undefined && { now }),
    ...(seed !== undefined && { seed }),
    assumptions: origin === undefined ? {} : { origin },
  };
}

function optionsOf({ target, part, expressions }: PolicyDocument): AnalysisOptions {
  return { ...target, ...(part && { part }), ...(expressions && { expressions }) };
}

/** Matches the names of policy tests. */
export const TESTS_NAME = /\.test\.(?:ya?ml|json)$/;

/** Matches the names of invariants. */
export const INVARIANTS_NAME = /\.invariants\.(?:ya?ml|json)$/;

/** What a file contains. `policy` includes files with embedded policies; `other` is nothing that Tollgate reads. */
export type DocumentKind = 'policy' | 'tests' | 'invariants' | 'edge' | 'other';

const POLICY_KEY = /(?:^|[\s{,"'])policy["']?\s*:/;
const LIST_KEYS = { tests: /(?:^|[\s{,"'])tests["']?\s*:/, invariants: /(?:^|[\s{,"'])invariants["']?\s*:/ } as const;

/** Returns whether a file contains policy tests, invariants or an edge; undefined for anything else. In most files, looking for keys suffices. */
export function documentKind(source: SourceText): 'tests' | 'invariants' | 'edge' | undefined {
  const { text, uri } = source;
  if (TESTS_NAME.test(uri)) return 'tests';
  if (INVARIANTS_NAME.test(uri)) return 'invariants';
  if (POLICY_KEY.test(text)) {
    if (LIST_KEYS.tests.test(text) && isAbout(readTests(source), 'tests')) return 'tests';
    if (LIST_KEYS.invariants.test(text) && isAbout(readInvariants(source), 'invariants')) return 'invariants';
  }
  return readEdgeDocument(source) ? 'edge' : undefined;
}

function isAbout({ root }: ParsedSettings<unknown>, list: keyof typeof LIST_KEYS): boolean {
  const kindOf = (key: string) =>
    root?.kind === 'map' ? root.entries.find(entry => entry.key === key)?.value.kind : undefined;
  return kindOf('policy') === 'scalar' && kindOf(list) === 'list';
}

/** Returns what a file contains, by its content: an `embedding` has policies among its values. An empty file is a policy that begins. */
export function contentKind(source: SourceText, embeddedSettings: EmbeddedSettings): DocumentKind | 'embedding' {
  const kind = documentKind(source);
  if (kind || source.text.trim() === '') return kind ?? 'policy';
  // Reading a document only to see what it is takes a fifth of opening it.
  if (isCertainPolicy(source, embeddedSettings)) return 'policy';
  const found = findPolicies(source, embeddedSettings);
  if (found.length === 0) return 'other';
  return found.some(({ part, layers }) => part === undefined && layers.length === 0) ? 'policy' : 'embedding';
}
