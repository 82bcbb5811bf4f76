import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Diagnostic, Fix, Range, Severity, SourceText } from '@tollgate/diagnostics';
import type { EdgeDocument, PhaseEnvironments, Policy } from '@tollgate/policy';
import type { ActionFacts } from '../analyses/file/url-replacements.ts';
import type { LogicOf } from '../logic/policy-logic.ts';
import type { Work } from '../primitives/work.ts';
import type { ProfileRoles } from '../profile/profile-roles.ts';
import type { PatternTrees } from '../regex/pattern-trees.ts';
import type { RuleCoverage } from './linted-tests.ts';

/** The text that is linted, and what its analysis gave. */
export interface LintedFile {
  readonly source: SourceText;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** What the names of the profile stand for. */
  readonly roles: ProfileRoles;
  /** What the expressions of each phase were checked in. */
  readonly environments: PhaseEnvironments;
  readonly policies: readonly Policy[];
  readonly actionFacts: ActionFacts;
  readonly patterns: PatternTrees;
  /** Where the comments stand, in order. */
  readonly comments: readonly Range[];
  /** What the analysis found: the text may hold less than was written where it has errors. */
  readonly analysis: readonly Diagnostic[];
  /** What the conditions of a policy mean, for comparing rules. Costs something when it is first asked for. */
  readonly logicOf: LogicOf;
  /** Bounds what lint rules spend on proofs. */
  readonly work: Work;
  /** What tests show of the rules of a policy, in the order of the phases; undefined where there are no tests of it. */
  readonly coverageOf: (policy: Policy) => readonly RuleCoverage[] | undefined;
  /** The edge that the policies are a part of, where the text is one. */
  readonly edge: EdgeDocument | undefined;
}

/** Something found by a lint rule. Ranges are of the document. */
export interface LintFinding {
  readonly range: Range;
  /** *Got, expected, do this*: lower case, no final period, user text in backticks. */
  readonly message: string;
  /** What the message is made of, for tools. */
  readonly args?: Diagnostic['args'];
  /** Other places of the same document. */
  readonly related?: readonly { readonly range: Range; readonly message: string }[];
  readonly fixes?: readonly Fix[];
  readonly tags?: NonNullable<Diagnostic['tags']>;
  /** Where it is less grave than the lint rule is in general, or as grave as its `gravest`. A configured severity wins. */
  readonly severity?: Severity;
}

/** What a lint rule works with, beside what it visits. */
export interface LintContext {
  readonly file: LintedFile;
  /** As configured, with the defaults of the lint rule's schema filled in. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly report: (finding: LintFinding) => void;
}
