import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Diagnostic, Fix, Range, Severity, SourceText } from '@tollgate/diagnostics';
import type { EdgeDocument, PhaseEnvironments, Policy } from '@tollgate/policy';
import type { Work } from '../primitives/work.ts';
import type { ProfileRoles } from '../profile/profile-roles.ts';
import type { RuleCoverage } from './linted-tests.ts';

/** The file that is linted, and what is known about it. */
export interface LintedFile {
  readonly source: SourceText;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** The variables and functions of the profile by role. */
  readonly roles: ProfileRoles;
  /** The environments that the expressions of each phase were checked in. */
  readonly environments: PhaseEnvironments;
  readonly policies: readonly Policy[];
  /** Ranges of comments, in document order. */
  readonly comments: readonly Range[];
  /** Diagnostics of the analysis. If there are errors, the policies may contain less than the source. */
  readonly diagnostics: readonly Diagnostic[];
  /** Bounds what lint rules spend on proofs. */
  readonly work: Work;
  /** Returns how tests exercise the rules of a policy, in phase order; undefined if the policy has no tests. */
  readonly coverageOf: (policy: Policy) => readonly RuleCoverage[] | undefined;
  /** The edge that contains the policies, if the source is one. */
  readonly edge: EdgeDocument | undefined;
  /** Returns the result of an analysis of this file, which runs at most once. */
  readonly resultOf: <T>(analysis: FileAnalysis<T>) => T;
}

/** An analysis of a whole file that several lint rules share. The object itself is the key of its result. */
export interface FileAnalysis<T> {
  readonly compute: (file: LintedFile) => T;
}

/** A finding of a lint rule. Ranges are offsets in the document. */
export interface LintFinding {
  readonly range: Range;
  /** The problem; what was found; the remedy as an imperative. Lower case, no final period, user text in backticks. */
  readonly message: string;
  /** The values that the message mentions, for tools. */
  readonly args?: Diagnostic['args'];
  /** Other ranges of the same document. */
  readonly related?: readonly { readonly range: Range; readonly message: string }[];
  readonly fixes?: readonly Fix[];
  readonly tags?: NonNullable<Diagnostic['tags']>;
  /** Overrides the severity of the lint rule for this finding, up to its `maxSeverity`. A configured severity wins. */
  readonly severity?: Severity;
}

/** What visitors receive in addition to what they visit. */
export interface LintContext {
  readonly file: LintedFile;
  /** Options as configured, with the defaults of the lint rule's schema filled in. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly report: (finding: LintFinding) => void;
}
