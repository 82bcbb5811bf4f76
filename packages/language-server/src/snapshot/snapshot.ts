import type { Phase } from '@tollgate/catalog';
import type { Target } from '@tollgate/core/targeting';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import type {
  Analysis,
  CarrierSettings,
  DocumentNode,
  EmbeddedPolicy,
  MappedText,
  PartPath,
  PhaseEnvironments,
  Policy,
} from '@tollgate/policy';
import type { DocumentKind, Project } from '../project/project.ts';

/** A policy of a document with what it was checked against. */
export interface AnalysedPolicy {
  readonly policy: Policy;
  readonly target: Target;
  readonly environments: PhaseEnvironments;
  /** Path within the document; undefined for a document that is a policy. */
  readonly part: PartPath | undefined;
  /** What follows `#` on the command line; undefined if the file is the policy. */
  readonly address: string | undefined;
}

/** The expressions of a file of invariants. */
export interface Claims {
  /** The phase whose variables they may use. */
  readonly phase: Phase;
  readonly texts: readonly MappedText[];
  /** The policy that they are about, with the variables of its decisions. */
  readonly tested: AnalysedPolicy;
}

/** A policy inside a string or code fence of a document. */
export interface EmbeddedSnapshot {
  readonly embedded: EmbeddedPolicy;
  /** Of the document that the string contains; offsets in it are not those of the file. */
  readonly snapshot: Snapshot;
}

/** A version of a document with everything that is known about it. Immutable. */
export interface Snapshot {
  readonly uri: string;
  /** Path of the file; the URI if it is not a file. */
  readonly path: string;
  readonly version: number;
  readonly languageId: string;
  readonly source: SourceText;
  readonly kind: DocumentKind;
  readonly project: Project;
  /** How carriers are read. */
  readonly carriers: CarrierSettings;
  /** Those whose offsets are the document's own. */
  readonly policies: readonly AnalysedPolicy[];
  /** All policies of a carrier. */
  readonly embedded: readonly EmbeddedSnapshot[];
  /** What policies of this document are checked against; undefined for other documents. */
  readonly target: Target | undefined;
  /** The root of a document that is not a policy. */
  readonly root: DocumentNode | undefined;
  readonly comments: readonly Range[];
  /** The errors and warnings of the analysis, in document order. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the expressions of invariants are checked against; undefined for other documents, and if their policy cannot be read. */
  readonly claims: Claims | undefined;
  /** What the next edit starts from; undefined if the document is analysed as a whole after each edit. */
  readonly base: Analysis | undefined;
}
