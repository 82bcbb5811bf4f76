import type { ConfigField, EndpointKind } from '@tollgate/catalog';
import type { Severity } from '@tollgate/diagnostics';
import type { PlainValue } from '@tollgate/policy';
import type { LintedFile, LintFinding } from './lint-context.ts';
import type { RuleCoverage } from './linted-tests.ts';
import type { Visitor } from './visitor.ts';

/** The groups of lint rules, which are the first parts of their ids. */
export type Category =
  | 'doc'
  | 'type'
  | 'phase'
  | 'logic'
  | 'http'
  | 'header'
  | 'geo'
  | 'ip'
  | 'tls'
  | 'url'
  | 'regex'
  | 'rate'
  | 'cost'
  | 'sec'
  | 'style'
  | 'test'
  | 'meta';

/** Sets of lint rules that a configuration names; beside them there is `all`. */
export type Preset = 'recommended' | 'security' | 'strict' | 'style';

/** A whole policy. What a lint rule marks in it stands between `«` and `»`, which are no part of the text. */
export interface LintExample {
  readonly policy: string;
  /** `edge-v2` when absent. */
  readonly profile?: 'edge-v2' | 'edge-v2-snake' | 'modern';
  /** The first of the profile when absent. */
  readonly endpoint?: EndpointKind;
  /** Options of the lint rule that it needs. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** A file of tests of the policy, for lint rules that look at tests: what is marked stands in it then. */
  readonly tests?: string;
  /** What the tests of the policy show of its rules, in the order of the phases. */
  readonly coverage?: readonly RuleCoverage[];
  /** Whether the text is a whole edge of the Edge Configuration API with policies in it. */
  readonly isEdge?: boolean;
}

/** A lint rule with everything that is to be known of it: its file is the one place. */
export interface LintRule {
  /** `category/kebab-case`; never renamed once published. Those that are added by users have categories of their own. */
  readonly id: `${string}/${string}`;
  /** Where no configuration says otherwise. `off`: only runs when asked for, then as `info`. */
  readonly severity: Severity | 'off';
  /** Of its maxSeverity finding, where one is graver than the lint rule is in general. */
  readonly maxSeverity?: Severity;
  /** What it finds, in one line: lower case, no final period. */
  readonly summary: string;
  /** Why that is a problem, in whole sentences. Markdown. */
  readonly rationale: string;
  /** Has a finding at each mark, and no other of this lint rule. */
  readonly bad: LintExample;
  /** The same intention written well: without a finding of any lint rule. */
  readonly good: LintExample;
  /** `slow` ones run on save and in pipelines, `fast` ones while typing as well. */
  readonly cost: 'fast' | 'slow';
  /** The best fix that it ever offers. */
  readonly fixable: 'no' | 'safe' | 'unsafe' | 'suggestion';
  /** Beside `all`. */
  readonly presets: readonly Preset[];
  /** What a configuration may set. */
  readonly options?: readonly ConfigField[];
  readonly check: Visitor;
  /** For lint rules that compare files with each other. */
  readonly workspace?: WorkspaceCheck;
}

/** What one file says about itself to be compared with others. */
export interface FileSummary {
  readonly uri: string;
  readonly summary: PlainValue;
}

/** Compares files with each other. What it finds is suppressed by settings and baselines only: a comment stands in one file. */
export interface WorkspaceCheck {
  /** Plain data, which may be kept between runs; undefined for files that do not matter. */
  readonly summarize: (file: LintedFile) => PlainValue | undefined;
  /** Is given the summaries of all files of a run, in their order. Findings name the file that they stand in. */
  readonly compare: (files: readonly FileSummary[], report: (uri: string, finding: WorkspaceFinding) => void) => void;
}

/** A finding whose other places may be in other files. */
export interface WorkspaceFinding extends Omit<LintFinding, 'related'> {
  readonly related?: readonly {
    readonly uri: string;
    readonly range: LintFinding['range'];
    readonly message: string;
  }[];
}

/** The category that an id names; one of {@link Category} for those that come with Tollgate. */
export function categoryOf({ id }: Pick<LintRule, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}
