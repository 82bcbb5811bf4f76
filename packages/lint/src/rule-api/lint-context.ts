// What a lint rule sees and does: the file, tests, suppressions, findings, and a budget for proofs.

import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Diagnostic, Fix, Range, Severity, SourceText } from '@tollgate/diagnostics';
import type {
  Action,
  DocumentNode,
  EdgeDocument,
  MapEntryNode,
  PhaseEnvironments,
  Policy,
  PolicyTests,
  Rule,
  ScalarNode,
} from '@tollgate/policy';
import type { ProfileRoles } from '../readers/profile-roles.ts';

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

/** The rule and the policy of an action. */
export interface ActionLocation {
  readonly policy: Policy;
  readonly rule: Rule;
  /** Zero-based index in the rule. */
  readonly index: number;
}

/** A string in the configuration of an action. */
export interface ConfigString {
  readonly node: ScalarNode & { readonly value: string };
  readonly action: Action;
  readonly place: ActionLocation;
  /** Keys that lead to the string, without list indices: `headers`, `X-Robots-Tag`. */
  readonly path: readonly string[];
  /** The innermost entry that contains the string. */
  readonly entry: MapEntryNode;
}

/** A file of policy tests. */
export interface LintedTests {
  readonly tests: PolicyTests;
  /** The root of the document; `rangeAt` of `@tollgate/policy` finds ranges in it. */
  readonly root: DocumentNode;
  /** The rules of the tested policy, in phase order; undefined if it could not be read. */
  readonly rules: readonly Rule[] | undefined;
}

/** How many tests a rule matched in, and in how many it was evaluated without matching. */
export interface RuleCoverage {
  readonly matched: number;
  readonly notMatched: number;
}

/** A comment that suppresses findings. */
export interface Suppression {
  readonly kind: 'line' | 'block' | 'file';
  /** Range of the comment. */
  readonly range: Range;
  /** Ids, codes or `category/*`, each with its range. */
  readonly names: readonly { readonly name: string; readonly range: Range }[];
  /** The text after `--`, without the date. */
  readonly reason: string | undefined;
  /** The last day of validity, such as `2027-01-01`. */
  readonly until: { readonly date: string; readonly range: Range } | undefined;
  /** Suppresses findings that start in this range; both ends are inclusive. */
  readonly scope: Range;
}

/** A comment that looks like a suppression and is not valid. */
export interface MalformedSuppression {
  readonly range: Range;
  readonly message: string;
}

/** A suppression after its file was linted. */
export interface UsedSuppression extends Suppression {
  readonly isExpired: boolean;
  /** The names that suppressed nothing. */
  readonly unused: Suppression['names'];
}

/** The suppressions of a file, for lint rules that check them. */
export interface SuppressionReport {
  readonly suppressions: readonly UsedSuppression[];
  readonly malformed: readonly MalformedSuppression[];
  readonly isKnown: (name: string) => boolean;
  /** Returns the id that was probably meant. */
  readonly suggestion: (name: string) => string | undefined;
  /** Returns true if anything that the name stands for has run. */
  readonly isActive: (name: string) => boolean;
}

/** The steps that a lint rule may still cause, and whether they were too few for some question. */
interface Account {
  left: number;
  isOpen: boolean;
}

/** Returns a new account. */
export function accountOf(limit: number): Account {
  return { left: limit, isOpen: false };
}

/**
 * Counts the steps of proofs. The bound is in steps, never in time, so that a file has the same findings on every machine. A question that
 * runs out of steps stays undecided.
 */
export class Work {
  /** The account that steps are charged to. */
  account: Account;

  constructor(account: Account = accountOf(Number.POSITIVE_INFINITY)) {
    this.account = account;
  }

  spend(steps: number): void {
    this.account.left -= steps;
  }

  get isSpent(): boolean {
    return this.account.left <= 0;
  }

  /** Records that a question stayed undecided. */
  leaveOpen(): void {
    this.account.isOpen = true;
  }
}
