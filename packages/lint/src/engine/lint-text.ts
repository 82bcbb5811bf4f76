// Lints one file: analyses it, walks it with the active rules, and applies suppressions. Everything else in this folder is a step of it.

import type { Profile } from '@tollgate/catalog';
import type { Ast, Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import {
  type Diagnostic,
  onceForEach,
  SEVERITIES,
  type Severity,
  type SourceText,
  type SuppressedDiagnostic,
} from '@tollgate/diagnostics';
import {
  type Action,
  type AnalysisOptions,
  analyzePolicies,
  createPhaseEnvironments,
  type DocumentNode,
  type EdgeDocument,
  type MapEntryNode,
  type Policy,
  type Rule,
  readTests,
  type ScalarNode,
  type TextAnalysis,
} from '@tollgate/policy';
import { analyzeExpression } from '../readers/expression-analysis.ts';
import { type ProfileRoles, profileRoles } from '../readers/profile-roles.ts';
import { asWritten } from '../readers/source-nodes.ts';
import {
  type ActionLocation,
  type ConfigString,
  type FileAnalysis,
  type LintedFile,
  type LintedTests,
  type SuppressionReport,
  Work,
} from '../rule-api/lint-context.ts';
import type { LintedExpression } from '../rule-api/linted-expression.ts';
import { isOwnRule } from '../rules/lint-rules.ts';
import { type KnownIds, knownIds } from './known-ids.ts';
import { type Summaries, summarize } from './lint-workspace.ts';
import type { ActiveRule } from './resolve-rules.ts';
import type { RuleFailure } from './rule-run.ts';
import { type Dispatch, RuleRunner, type RunWithTimeout } from './rule-runner.ts';
import { isMeant, multilineScalars, readSuppressions, suppress } from './suppressions.ts';

/** Lint rules that are ready to run over any number of files. */
export interface Linter {
  readonly active: readonly ActiveRule[];
  readonly runner: RuleRunner;
  readonly known: KnownIds;
  readonly adjust: (diagnostic: Diagnostic) => Diagnostic | undefined;
  /** A cache for the profiles of the files. */
  readonly roles: Map<Profile, ProfileRoles>;
}

/** Options of {@link createLinter}. */
interface LinterOptions {
  /** The names that suppressions may use; those of the active lint rules when absent. */
  readonly known?: KnownIds;
  /** Changes the severity of diagnostics of the analysis, or drops them. */
  readonly adjust?: (diagnostic: Diagnostic) => Diagnostic | undefined;
  /** Limits the run time of lint rules of users; unlimited when absent. */
  readonly runWithTimeout?: RunWithTimeout;
}

/** Options of {@link lintText}. */
export interface LintTextOptions extends AnalysisOptions {
  /** The date, such as `2027-01-01`, that suppressions are compared with; without it, none has expired. */
  readonly today?: string;
  /** Reports suppressed findings too, and nothing about suppressions. */
  readonly ignoresSuppressions?: boolean;
  /** Returns how tests exercise the rules of a policy; without it, missing tests are not reported. */
  readonly coverageOf?: LintedFile['coverageOf'];
  /** The edge that contains the linted part, if the text is an edge. */
  readonly edge?: EdgeDocument;
  /** The result of `analyzePolicies` for the same text and options, if it is known already. */
  readonly analysis?: TextAnalysis;
}

/** The result of {@link lintText}. */
export interface LintResult {
  /** From the analysis and from lint rules, in text order. */
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly analysis: TextAnalysis;
  /** Input for {@link lintWorkspace}. */
  readonly summaries: Summaries;
  /** Ids of lint rules that reached the work limit; a finding says so. */
  readonly undecided: readonly string[];
  /** Lint rules that failed; each has a finding that says so. */
  readonly failures: readonly RuleFailure[];
}

/** Prepares lint rules for running. */
export function createLinter(
  active: readonly ActiveRule[],
  { known, adjust, runWithTimeout }: LinterOptions = {},
): Linter {
  return {
    active,
    runner: new RuleRunner(active, { isOwn: isOwnRule, runWithTimeout }),
    known: known ?? knownIds(active.map(one => one.rule)),
    adjust: adjust ?? (diagnostic => diagnostic),
    roles: new Map(),
  };
}

/** Analyses the policies in a text and runs the lint rules on what could be parsed. Never throws because of the text. */
export function lintText(source: SourceText, options: LintTextOptions, linter: Linter): LintResult {
  const analysis = options.analysis ?? analyzePolicies(source, options);
  const file = fileOf(source, options, linter, analysis);
  const found = analysis.diagnostics.flatMap(one => linter.adjust(one) ?? []);
  const summaries: Summaries[] = [];
  const ran = linter.runner.run(source.uri, dispatch => {
    const own = walkFile(file, dispatch);
    summaries.push(summarize(dispatch));
    return own;
  });
  const all = [...found, ...ran.found, ...undecidedFinding(ran.undecided, source.uri)];
  const rest = afterSuppressions(all, { file, found, linter, options });
  const { undecided } = ran;
  const failures = [...ran.failures, ...rest.failures];
  return { ...rest, undecided, failures, analysis, summaries: Object.assign({}, ...summaries) };
}

/** Options of {@link lintTests}. */
export interface LintTestsOptions extends LintTextOptions {
  /** The rules of the tested policy, in phase order; undefined if it could not be read. */
  readonly rules: readonly Rule[] | undefined;
}

/** Reads a file of policy tests and runs the lint rules that visit tests. */
export function lintTests(
  source: SourceText,
  options: LintTestsOptions,
  linter: Linter,
): Omit<LintResult, 'analysis' | 'summaries' | 'undecided'> {
  const { value: tests, root, comments, diagnostics: found } = readTests(source);
  const environments = options.environments ?? createPhaseEnvironments(options.profile, options.endpoint);
  const file = fileOf(source, options, linter, { policies: [], diagnostics: found, comments, environments });
  const ran =
    tests && root
      ? linter.runner.run(source.uri, dispatch => walkTests({ tests, root, rules: options.rules }, file, dispatch))
      : { found: [], failures: [], undecided: [] };
  const rest = afterSuppressions([...found, ...ran.found], { file, found, linter, options });
  return { ...rest, failures: [...ran.failures, ...rest.failures] };
}

function fileOf(source: SourceText, options: LintTextOptions, linter: Linter, analysis: TextAnalysis): LintedFile {
  const { profile, endpoint, edge, coverageOf = () => undefined } = options;
  const { policies, comments, environments, diagnostics } = analysis;
  const results = onceForEach((one: FileAnalysis<unknown>) => one.compute(file));
  const file: LintedFile = {
    source,
    profile,
    endpoint,
    environments,
    policies,
    comments,
    diagnostics,
    edge,
    coverageOf,
    roles: rolesOf(linter, profile),
    work: new Work(),
    resultOf: <T>(one: FileAnalysis<T>) => results(one) as T,
  };
  return file;
}

/** Reports the lint rules that may have missed something. */
function undecidedFinding(undecided: readonly string[], uri: string): readonly Diagnostic[] {
  if (undecided.length === 0) return [];
  const names = undecided.map(id => `\`${id}\``).join(', ');
  const message = `work limit reached: ${names} may have missed findings; split the policy`;
  const args = { rules: undecided.join() };
  return [{ code: 'lint/undecided', severity: 'info', message, uri, range: { start: 0, end: 0 }, args }];
}

interface SuppressionContext {
  readonly file: LintedFile;
  /** Diagnostics of the analysis. */
  readonly found: readonly Diagnostic[];
  readonly linter: Linter;
  readonly options: LintTextOptions;
}

function afterSuppressions(
  all: readonly Diagnostic[],
  { file, found, linter, options: { today, ignoresSuppressions } }: SuppressionContext,
): Omit<LintResult, 'analysis' | 'summaries' | 'undecided'> {
  if (ignoresSuppressions) return { diagnostics: inOrder(all), suppressed: [], failures: [] };
  const { source, policies, comments } = file;
  const { all: read, malformed } = readSuppressions(source, comments, () => multilineScalars(source.text, policies));
  if (read.length + malformed.length === 0) return { diagnostics: inOrder(all), suppressed: [], failures: [] };
  const analysed = new Set(found);
  const { kept, suppressed, suppressions } = suppress(all, read, { isAnalysis: one => analysed.has(one), today });
  const isActive = (name: string) =>
    linter.active.some(({ rule }) => isMeant(name, rule.id)) ||
    linter.known.isAnalysed(name) ||
    !linter.known.isKnown(name);
  const { isKnown, suggestion } = linter.known;
  const report = { suppressions, malformed, isKnown, suggestion, isActive };
  const ran = linter.runner.run(source.uri, dispatch => walkSuppressions(file, report, dispatch));
  return { diagnostics: inOrder([...kept, ...ran.found]), suppressed, failures: ran.failures };
}

function inOrder(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

function rolesOf({ roles }: Linter, profile: Profile): ProfileRoles {
  const known = roles.get(profile) ?? profileRoles(profile);
  roles.set(profile, known);
  return known;
}

/** Returns true if a lint rule may report a finding of at least this severity. Lint rules of users may, unless settings fix their severity. */
export function mayReport({ rule, severity, isFixedSeverity }: ActiveRule, least: Severity): boolean {
  if (!isFixedSeverity && !isOwnRule(rule)) return true;
  const highest = isFixedSeverity ? severity : (rule.maxSeverity ?? severity);
  return SEVERITIES.indexOf(highest) <= SEVERITIES.indexOf(least);
}

// The walk over a file, its expressions and configurations, that calls the visitors of all rules.

/** Visits a file for lint rules in one walk and returns their findings in order. */
function walkFile(file: LintedFile, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.file) run.show(call, file);
  for (const policy of file.policies) walkPolicy(policy, file, dispatch);
  return found;
}

/** Visits a file of policy tests. */
function walkTests(tests: LintedTests, file: LintedFile, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.tests) run.show(call, tests);
  return found;
}

/** Visits the suppressions of a file after it was linted. */
function walkSuppressions(file: LintedFile, report: SuppressionReport, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.suppressions) run.show(call, report);
  return found;
}

function walkPolicy(policy: Policy, file: LintedFile, dispatch: Dispatch): void {
  for (const { call, run } of dispatch.policy) run.show(call, policy);
  for (const phase of file.profile.phases) {
    for (const rule of policy.rules[phase]) walkRule(rule, policy, { file, dispatch });
  }
}

function walkRule(
  rule: Rule,
  policy: Policy,
  { file, dispatch }: { readonly file: LintedFile; readonly dispatch: Dispatch },
): void {
  for (const { call, run } of dispatch.rule) run.showAt(call, rule, policy);
  const document = file.source.text;
  for (const { typed, text } of rule.expressions) {
    if (!typed) continue;
    const ancestors: Expr[] = [];
    const where = { policy, rule, action: undefined, config: undefined, text, offset: 0, document, ancestors };
    walkExpression(
      { role: 'condition', typed, analysis: analyzeExpression(typed, file.roles), ...where },
      ancestors,
      dispatch,
    );
  }
  rule.actions.forEach((action, index) => {
    const place = { policy, rule, index };
    for (const { call, run } of dispatch.action) run.showAt(call, action, place);
    walkConfig({ action, place, file, dispatch });
  });
}

/** An action, and the functions to call for it. */
interface ConfigWalk {
  readonly action: Action;
  readonly place: ActionLocation;
  readonly file: LintedFile;
  readonly dispatch: Dispatch;
}

/** Visits the strings in an action's configuration in document order, each before its expressions. */
function walkConfig(walk: ConfigWalk): void {
  const { configNode, expressions } = walk.action;
  if (!configNode || (walk.dispatch.configString.length === 0 && expressions.length === 0)) return;
  for (const entry of configNode.entries) walkValue(entry.value, entry, [entry.key], walk);
}

function walkValue(node: DocumentNode, entry: MapEntryNode, path: readonly string[], walk: ConfigWalk): void {
  if (node.kind === 'scalar') {
    if (isText(node)) showText({ node, action: walk.action, place: walk.place, path, entry }, walk);
  } else if (node.kind === 'list') {
    for (const item of node.items) walkValue(item, entry, path, walk);
  } else if (node.kind === 'map') {
    for (const inner of node.entries) walkValue(inner.value, inner, [...path, inner.key], walk);
  }
}

function isText(node: ScalarNode): node is ScalarNode & { readonly value: string } {
  return typeof node.value === 'string';
}

function showText(config: ConfigString, { action, place, file, dispatch }: ConfigWalk): void {
  for (const { call, run } of dispatch.configString) run.show(call, config);
  for (const { kind, text, offset, typed } of action.expressions) {
    if (text !== config.node.text || !typed) continue;
    const ancestors: Expr[] = [];
    const { policy, rule } = place;
    const role = kind === 'whole' ? 'config' : kind;
    const where = { policy, rule, action, config, text, offset, document: file.source.text, ancestors };
    walkExpression({ role, typed, analysis: analyzeExpression(typed, file.roles), ...where }, ancestors, dispatch);
  }
}

/** Visits an expression and its nodes as written in the source. */
function walkExpression(at: LintedExpression, ancestors: Expr[], dispatch: Dispatch): void {
  for (const { call, run } of dispatch.expression) run.show(call, at);
  walkNode(at.typed.ast.root, { at, ast: at.typed.ast, ancestors, dispatch });
}

interface Walk {
  readonly at: LintedExpression;
  readonly ast: Ast;
  /** The list that the expression exposes. */
  readonly ancestors: Expr[];
  readonly dispatch: Dispatch;
}

function walkNode(expanded: Expr, walk: Walk): void {
  const { at, ast, ancestors, dispatch } = walk;
  const node = asWritten(ast, expanded);
  const listeners = dispatch.nodes.get(node.kind);
  if (listeners) for (const { call, run } of listeners) run.showAt(call, node, at);
  const callers = node.kind === 'call' ? dispatch.calls.get(node.function) : undefined;
  if (callers && node.kind === 'call') for (const { call, run } of callers) run.showAt(call, node, at);
  ancestors.push(node);
  for (const child of childrenOf(node)) walkNode(child, walk);
  ancestors.pop();
}
