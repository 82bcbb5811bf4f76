// What a lint rule is: facts about it, and a visitor.

import type { ConfigField, EndpointKind } from '@tollgate/catalog';
import type { CallExpr, Expr } from '@tollgate/cel';
import type { Severity } from '@tollgate/diagnostics';
import type { Action, PlainValue, Policy, Rule } from '@tollgate/policy';
import type {
  ActionLocation,
  ConfigString,
  LintContext,
  LintedFile,
  LintedTests,
  LintFinding,
  RuleCoverage,
  SuppressionReport,
} from './lint-context.ts';
import type { LintedExpression } from './linted-expression.ts';

/** Named sets of lint rules. In addition, `all` selects every lint rule that does not opt out. */
type Preset = 'recommended' | 'security' | 'strict' | 'style';

/** A complete policy. `«` and `»` mark the ranges of findings and are not part of the source. */
export interface LintExample {
  readonly policy: string;
  /** `edge-v2` when absent. */
  readonly profile?: 'edge-v2' | 'edge-v2-snake' | 'modern';
  /** The first endpoint kind of the profile when absent. */
  readonly endpoint?: EndpointKind;
  /** Options of the lint rule. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** A file of policy tests, for lint rules that visit tests. Then the marks are in this file. */
  readonly tests?: string;
  /** How tests exercise the rules of the policy, in phase order. */
  readonly coverage?: readonly RuleCoverage[];
  /** True if the source is a whole edge of the Edge Configuration API. */
  readonly isEdge?: boolean;
}

/** A lint rule. Pages, presets, SARIF rules and code actions are derived from it. */
export interface LintRule {
  /** `category/kebab-case`; never renamed once published. Lint rules of users have categories of their own. */
  readonly id: `${string}/${string}`;
  /** The default severity. `off`: runs only when enabled, then as `info`. */
  readonly severity: Severity | 'off';
  /** The highest severity of a finding, if that is higher than `severity`. */
  readonly maxSeverity?: Severity;
  /** What it reports, in one line: lower case, no final period. */
  readonly summary: string;
  /** Why that is a problem, in complete sentences. Markdown. */
  readonly rationale: string;
  /** Has a finding of this lint rule at each mark, and no other. */
  readonly bad: LintExample;
  /** The same intent without a finding of any lint rule. */
  readonly good: LintExample;
  /** `slow` lint rules run on save and in pipelines, `fast` ones also while typing. */
  readonly cost: 'fast' | 'slow';
  /** The best fix that it offers. */
  readonly fixable: 'no' | 'safe' | 'unsafe' | 'suggestion';
  /** In addition to `all`. */
  readonly presets: readonly Preset[];
  /** False for a lint rule that not even `all` selects, because most policies that it reports are as they should be. */
  readonly isInAll?: boolean;
  /** Options that settings may set. */
  readonly options?: readonly ConfigField[];
  readonly check: Visitor;
  /** For lint rules that compare files. */
  readonly workspace?: WorkspaceCheck;
}

/** What a file contributes to a comparison of files. */
export interface FileSummary {
  readonly uri: string;
  readonly summary: PlainValue;
}

/** Compares files. Only settings and baselines suppress its findings, because a comment belongs to one file. */
interface WorkspaceCheck {
  /** Returns plain data, which may be cached between runs; undefined for irrelevant files. */
  readonly summarize: (file: LintedFile) => PlainValue | undefined;
  /** Receives the summaries of all files of a run, in order. Each finding names the file that it belongs to. */
  readonly compare: (files: readonly FileSummary[], report: (uri: string, finding: WorkspaceFinding) => void) => void;
}

/** A finding whose related ranges may be in other files. */
interface WorkspaceFinding extends Omit<LintFinding, 'related'> {
  readonly related?: readonly {
    readonly uri: string;
    readonly range: LintFinding['range'];
    readonly message: string;
  }[];
}

/** Returns the category of a lint rule: the part of its id before the slash. */
export function categoryOf({ id }: Pick<LintRule, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

/** Called for nodes of one kind. */
export type NodeVisitor<Kind extends Expr['kind']> = (
  node: Extract<Expr, { readonly kind: Kind }>,
  at: LintedExpression,
  context: LintContext,
) => void;

/** Called for calls, including operators and macros. */
export type CallVisitor = (call: CallExpr, at: LintedExpression, context: LintContext) => void;

/**
 * The functions of a lint rule. One walk serves all lint rules: the file, then its policies in order; rules before their contents,
 * conditions before actions. The functions must be stateless; compare parts of a policy in `policy`.
 */
export interface Visitor {
  readonly file?: (file: LintedFile, context: LintContext) => void;
  readonly policy?: (policy: Policy, context: LintContext) => void;
  readonly rule?: (rule: Rule, policy: Policy, context: LintContext) => void;
  readonly action?: (action: Action, place: ActionLocation, context: LintContext) => void;
  /** Called for every string in configurations, but not for keys. */
  readonly configString?: (text: ConfigString, context: LintContext) => void;
  /** Called for every expression without errors, before its nodes. */
  readonly expression?: (expression: LintedExpression, context: LintContext) => void;
  /** Called by kind of node. A macro is visited as the call in the source, not as its expansion; its loop variables are identifiers. */
  readonly nodes?: { readonly [Kind in Expr['kind']]?: NodeVisitor<Kind> };
  /** Called by name of function, operator or macro: `matches`, `_==_`, `@in`, `exists`. */
  readonly calls?: { readonly [name: string]: CallVisitor };
  /** Called for a file of policy tests, which contains no policies. */
  readonly tests?: (tests: LintedTests, context: LintContext) => void;
  /** Called last, for the comments that suppress findings. Findings of this function cannot be suppressed. */
  readonly suppressions?: (report: SuppressionReport, context: LintContext) => void;
}
