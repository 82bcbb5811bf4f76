// Refactorings of rules. Each is offered only if the solver proves that the changed policy decides all traffic like the one in the editor.

import type { CallExpr, Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { lineStart, type TextEdit as OffsetEdit, type Range, SourceText } from '@tollgate/diagnostics';
import {
  analyzePolicy,
  type DocumentNode,
  type Expression,
  type MapEntryNode,
  oneLineString,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import { comparePolicies, PolicyProver } from '@tollgate/solver';
import {
  type CodeAction,
  type CodeActionContext,
  CodeActionKind,
  CodeActionTriggerKind,
} from 'vscode-languageserver-types';
import { expressionAt } from '../cursor/expression-place.ts';
import { toTextEdit } from '../protocol.ts';
import type { AnalysedPolicy, Snapshot } from '../snapshot.ts';

/** A change of a policy that should not change what it decides. */
interface Refactoring {
  readonly title: string;
  readonly kind: string;
  readonly edits: readonly OffsetEdit[];
  /** How it is proved, if not by comparing the policies. */
  readonly isProved?: typeof isProvedAlike;
}

/** Returns the refactorings of the rule at a range, if the client asks for them. A cursor that merely moves does not. */
export function refactorings(
  snapshot: Snapshot,
  { range, context }: { readonly range: Range; readonly context: CodeActionContext },
): readonly CodeAction[] {
  const { policies, source, uri, kind } = snapshot;
  const [analysed] = policies;
  if (kind !== 'policy' || !analysed || analysed.part || !isWanted(context)) return [];
  // Nothing can be proved about a policy with errors.
  if (snapshot.diagnostics.some(one => one.severity === 'error')) return [];
  const rules = Object.values(analysed.policy.rules).flat();
  const rule = rules.find(one => one.range.start <= range.start && range.end <= one.range.end);
  if (!rule) return [];
  const next = analysed.policy.rules[rule.phase][rule.index + 1];
  const all: readonly Refactoring[] = [
    ...joined(rule, source),
    ...separated(rule, range, source),
    ...prefixes(rule, range),
    ...split(rule, source),
    ...merged(rule, next, source),
    ...restyled(analysed.policy, rule, range, source).map(one => ({ ...one, kind: CodeActionKind.RefactorRewrite })),
    ...variable(snapshot, rule, range, analysed),
  ];
  return all
    .filter(one => context.only === undefined || context.only.some(only => `${one.kind}.`.startsWith(`${only}.`)))
    .filter(one => (one.isProved ?? isProvedAlike)(one, analysed, snapshot))
    .map(({ title, kind, edits }) => ({
      title,
      kind,
      edit: { changes: { [uri]: edits.map(edit => toTextEdit(source, edit)) } },
    }));
}

function isWanted({ only, triggerKind }: CodeActionContext): boolean {
  if (only) return only.some(one => one === 'refactor' || one.startsWith('refactor.'));
  return triggerKind !== CodeActionTriggerKind.Automatic;
}

/** The selected part of a condition as a variable. The solver does not know what variables hold, but it knows whether the part can fail. */
function variable(snapshot: Snapshot, rule: Rule, range: Range, analysed: AnalysedPolicy): readonly Refactoring[] {
  if (range.end === range.start) return [];
  const edits = extracted(snapshot, rule, range, analysed);
  if (!edits) return [];
  const title = 'extract to a variable that `set-vars` sets';
  return [{ title, kind: CodeActionKind.RefactorExtract, edits, isProved: isNotRefuted }];
}

/** Returns true if the changed policy is free of errors, and no request is decided differently as far as the solver can tell. */
function isNotRefuted({ edits }: Refactoring, analysed: AnalysedPolicy, snapshot: Snapshot): boolean {
  return comparedTo(edits, analysed, snapshot) !== 'different';
}

function isProvedAlike({ edits }: Refactoring, analysed: AnalysedPolicy, snapshot: Snapshot): boolean {
  return comparedTo(edits, analysed, snapshot) === 'same';
}

function comparedTo(edits: readonly OffsetEdit[], analysed: AnalysedPolicy, snapshot: Snapshot): string {
  const { target, policy: before } = analysed;
  const ordered = edits.toSorted((a, b) => b.range.start - a.range.start);
  const source = ordered.reduce((text, edit) => text.edited(edit), snapshot.source);
  const { policy, diagnostics } = analyzePolicy(new SourceText(source.uri, source.text), target);
  if (!policy || diagnostics.some(one => one.severity === 'error')) return 'different';
  const { profile, endpoint, environments } = target;
  return comparePolicies(before, policy, { profile, endpoint, environments }).verdict;
}

/** Several conditions as one. */
function joined({ expressions }: Rule, source: SourceText): readonly Refactoring[] {
  const [first, last] = [expressions[0], expressions.at(-1)];
  if (!first || !last || expressions.length < 2 || hasComment(source, first.range.start, last.range.end)) return [];
  const range = { start: first.range.start, end: last.range.end };
  const newText = scalar(expressions.map(one => (isLoose(one) ? `(${one.source})` : one.source)).join(' && '));
  return [
    { title: 'join the conditions with `&&`', kind: CodeActionKind.RefactorRewrite, edits: [{ range, newText }] },
  ];
}

/** The parts of `a && b` as conditions of their own. */
function separated({ expressions }: Rule, { start }: Range, source: SourceText): readonly Refactoring[] {
  const one = expressions.find(({ range }) => range.start <= start && start <= range.end);
  const parts = one && operands(one, '_&&_');
  const line = one && source.text.slice(lineStart(source.text, one.range.start), one.range.start);
  if (!one || !parts || parts.length < 2 || !line || !/^ *- +$/.test(line)) return [];
  const newText = parts.map(scalar).join(`\n${line}`);
  return [
    {
      title: 'make each part of `&&` a condition',
      kind: CodeActionKind.RefactorRewrite,
      edits: [{ range: one.range, newText }],
    },
  ];
}

/** `matches('^/a')` as `startsWith('/a')`. */
function prefixes({ expressions }: Rule, { start }: Range): readonly Refactoring[] {
  const one = expressions.find(({ range }) => range.start <= start && start <= range.end);
  const calls = one?.typed ? callsOf(one.typed.ast.root).filter(call => call.function === 'matches') : [];
  return calls.flatMap((call): readonly Refactoring[] => {
    const [pattern] = call.args;
    const text = pattern?.kind === 'literal' && pattern.literal.type === 'string' ? pattern.literal.value : '';
    const prefix = literalText(text.slice(1));
    if (!one || !call.target || !text.startsWith('^') || !prefix) return [];
    const { target } = call;
    const rewritten = `${one.source.slice(target.range.start, target.range.end)}.startsWith(${JSON.stringify(prefix).replaceAll('"', "'")})`;
    const newText = scalar(one.source.slice(0, call.range.start) + rewritten + one.source.slice(call.range.end));
    return [
      {
        title: 'write `startsWith` for the pattern of a prefix',
        kind: CodeActionKind.RefactorRewrite,
        edits: [{ range: one.range, newText }],
      },
    ];
  });
}

/** Returns the text that a pattern stands for if it has no operators, apart from escaped dots, slashes and hyphens. */
function literalText(pattern: string): string | undefined {
  const unescaped = pattern.replaceAll(/\\([./-])|\[([./-])\]/g, '');
  if (/[^\w/-]/.test(unescaped)) return undefined;
  return pattern.replaceAll(/\\([./-])|\[([./-])\]/g, '$1$2');
}

/** A rule with `a || b` as two rules with the same actions. */
function split(rule: Rule, source: SourceText): readonly Refactoring[] {
  const [one] = rule.expressions;
  const parts = one && rule.expressions.length === 1 ? operands(one, '_||_') : undefined;
  const block = blockOf(rule, source);
  if (!one || !parts || parts.length < 2 || !block) return [];
  const { text, dash } = block;
  const [start, end] = [one.range.start - rule.range.start, one.range.end - rule.range.start];
  const rules = parts.map((part, index) => {
    const changed = text.slice(0, start) + scalar(part) + text.slice(end);
    const { name } = rule;
    return name && index > 0 ? withName(changed, rule, `${name.value} ${index + 1}`) : changed;
  });
  const edits = [{ range: rule.range, newText: rules.join(`\n${dash}`) }];
  return [{ title: 'split the rule at `||`', kind: CodeActionKind.RefactorRewrite, edits }];
}

/** Two rules with the same actions, the second right after the first, as one. */
function merged(rule: Rule, next: Rule | undefined, source: SourceText): readonly Refactoring[] {
  if (!next || !blockOf(rule, source) || hasComment(source, rule.range.start, next.range.end)) return [];
  const [ours, theirs] = [rule, next].map(one => conditionOf(one));
  const [first, last] = [rule.expressions[0], rule.expressions.at(-1)];
  if (ours === undefined || theirs === undefined || !first || !last) return [];
  if (actionsOf(rule, source) !== actionsOf(next, source)) return [];
  const edits = [
    { range: { start: first.range.start, end: last.range.end }, newText: scalar(`${ours} || ${theirs}`) },
    { range: { start: rule.range.end, end: next.range.end }, newText: '' },
  ];
  return [{ title: 'merge with the next rule, which does the same', kind: CodeActionKind.RefactorRewrite, edits }];
}

function conditionOf({ expressions }: Rule): string | undefined {
  if (expressions.length === 0) return undefined;
  return expressions.map(one => (isLoose(one) ? `(${one.source})` : one.source)).join(' && ');
}

function actionsOf({ actions }: Rule, { text }: SourceText): string {
  return actions.map(one => text.slice(one.range.start, one.range.end).replaceAll(/\s+/g, ' ').trim()).join('\n');
}

function withName(text: string, { name, range }: Rule, to: string): string {
  if (!name) return text;
  return text.slice(0, name.range.start - range.start) + to + text.slice(name.range.end - range.start);
}

/** Returns a rule in block style with what precedes it on its line: its indentation and dash. */
function blockOf({ range }: Rule, { text }: SourceText): { readonly text: string; readonly dash: string } | undefined {
  const dash = text.slice(lineStart(text, range.start), range.start);
  const block = text.slice(range.start, range.end);
  return /^ *- +$/.test(dash) && !/^[{&!]/.test(block) ? { text: block, dash } : undefined;
}

function hasComment({ text }: SourceText, start: number, end: number): boolean {
  return /(?:^|\s)#/.test(text.slice(start, end));
}

/** Returns true if an expression needs parentheses as an operand of `&&`. */
function isLoose({ typed }: Expression): boolean {
  const root = typed?.ast.root;
  return root?.kind === 'call' && (root.function === '_||_' || root.function === '_?_:_');
}

/** Returns the operands of an operator as they are written; undefined for an expression with an error. */
function operands({ typed, source }: Expression, operator: string): readonly string[] | undefined {
  const walk = (node: Expr): readonly Expr[] =>
    node.kind === 'call' && node.function === operator ? node.args.flatMap(walk) : [node];
  return typed && walk(typed.ast.root).map(({ range }) => source.slice(range.start, range.end));
}

function callsOf(node: Expr): readonly CallExpr[] {
  const inner = childrenOf(node).flatMap(callsOf);
  return node.kind === 'call' ? [node, ...inner] : inner;
}

/** Writes an expression as a scalar of YAML. */
function scalar(text: string): string {
  return oneLineString(text);
}

// Refactorings of how a rule is written: a list or map in block or flow style, and a condition that a variable holds.

/** A value of a rule in the other style: the innermost list or map in block style at a range, the outermost one in flow style. */
function restyled({ node }: Policy, rule: Rule, { start, end }: Range, source: SourceText): readonly StyleChange[] {
  const around = entriesAround(node, start, end).filter(one => one.keyRange.start >= rule.range.start);
  const isFlow = ({ value }: MapEntryNode) => /[[{]/.test(source.text.charAt(value.range.start));
  const flow = around.find(isFlow);
  const block = around.findLast(one => !isFlow(one));
  return [
    ...(flow ? change('write the value in block style', asBlock(flow, source)) : []),
    ...(block && block !== flow ? change('write the value on one line', asFlow(block, source)) : []),
  ];
}

/** A change of style. */
interface StyleChange {
  readonly title: string;
  readonly edits: readonly OffsetEdit[];
}

function change(title: string, edit: OffsetEdit | undefined): readonly StyleChange[] {
  return edit ? [{ title, edits: [edit] }] : [];
}

/** Returns the entries whose values are lists or maps and that contain a range, the outermost first. */
function entriesAround(node: DocumentNode, start: number, end: number): readonly MapEntryNode[] {
  if (node.kind === 'list') return node.items.flatMap(item => entriesAround(item, start, end));
  if (node.kind !== 'map') return [];
  return node.entries.flatMap(entry => {
    const { keyRange, value } = entry;
    if (start < keyRange.start || end > value.range.end || sizeOf(value) === 0) return [];
    return [entry, ...entriesAround(value, start, end)];
  });
}

function sizeOf(node: DocumentNode): number {
  return node.kind === 'list' ? node.items.length : node.kind === 'map' ? node.entries.length : 0;
}

/** The longest line that a value in flow style may make. */
const MAX_WIDTH = 100;

function asFlow({ keyRange, value }: MapEntryNode, { text }: SourceText): OffsetEdit | undefined {
  const colon = colonAfter(keyRange, text);
  const end = colon + text.slice(colon, value.range.end).trimEnd().length;
  const written = /(?:^|\s)#/.test(text.slice(colon, end)) ? undefined : flowText(value, text);
  if (written === undefined || colon - lineStart(text, colon) + written.length > MAX_WIDTH) return undefined;
  return { range: { start: colon, end }, newText: ` ${written}` };
}

/** Undefined for a value that needs several lines. */
function flowText(node: DocumentNode, text: string): string | undefined {
  const all = (parts: readonly (string | undefined)[], [open, close]: readonly [string, string]) =>
    parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`;
  switch (node.kind) {
    case 'list':
      return all(
        node.items.map(item => flowText(item, text)),
        ['[', ']'],
      );
    case 'map':
      return all(
        node.entries.map(({ key, value }) => {
          const written = flowText(value, text);
          return written && `${oneLineString(key, { isInBrackets: true })}: ${written}`;
        }),
        ['{', '}'],
      );
    case 'scalar':
      if (node.style === 'literal' || node.style === 'folded') return undefined;
      return typeof node.value === 'string' ? oneLineString(node.value, { isInBrackets: true }) : String(node.value);
    case 'broken':
      return undefined;
  }
}

function asBlock({ keyRange, value }: MapEntryNode, { text }: SourceText): OffsetEdit | undefined {
  const colon = colonAfter(keyRange, text);
  const line = lineStart(text, keyRange.start);
  const before = text.slice(line, keyRange.start);
  const rest = text.slice(value.range.end, endOfLine(text, value.range.end));
  if (!/^[ -]*["']?$/.test(before) || rest.trim() !== '' || /(?:^|\s)#/.test(text.slice(colon, value.range.end)))
    return undefined;
  const indent = ' '.repeat(before.replace(/["']$/, '').length + 2);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const parts =
    value.kind === 'list'
      ? value.items.map(item => ['- ', flowText(item, text)] as const)
      : value.kind === 'map'
        ? value.entries.map(({ key, value: inner }) => [`${oneLineString(key)}: `, flowText(inner, text)] as const)
        : [];
  if (parts.some(([, written]) => written === undefined)) return undefined;
  const lines = parts.map(([lead, written]) => `${lineBreak}${indent}${lead}${written}`);
  return { range: { start: colon, end: value.range.end }, newText: lines.join('') };
}

function colonAfter({ end }: Range, text: string): number {
  return text.indexOf(':', end) + 1;
}

function endOfLine(text: string, offset: number): number {
  const found = text.slice(offset).search(/[\r\n]/);
  return found < 0 ? text.length : offset + found;
}

/**
 * Returns the edits that move the selected part of a condition into a `set-vars` action right before its rule. The part must be a boolean that
 * cannot fail, which the solver proves: it is evaluated for all traffic then, also where the condition stopped before.
 */
function extracted(
  snapshot: Snapshot,
  rule: Rule,
  range: Range,
  analysed: AnalysedPolicy,
): readonly OffsetEdit[] | undefined {
  const { source } = snapshot;
  const { profile } = analysed.target;
  const dash = source.text.slice(lineStart(source.text, rule.range.start), rule.range.start);
  const hasVariables = profile.actions.some(({ type, phases }) => type === 'set-vars' && phases.includes(rule.phase));
  const [from, to] = [expressionAt(snapshot, range.start), expressionAt(snapshot, range.end)];
  const expression = rule.expressions.find(one => one.text === from?.text);
  if (!hasVariables || !/^ *- +$/.test(dash) || !from || from.text !== to?.text || !expression?.typed) return undefined;
  const { ast, types } = expression.typed;
  const node = smallestAround(ast.root, from.at, to.at);
  if (!node || node.kind === 'literal' || types[node.id]?.kind !== 'bool') return undefined;
  const part = expression.source.slice(node.range.start, node.range.end);
  // What differs each time that it is evaluated, and what a macro binds, cannot move.
  if (/\brand\b|\bvars\b/.test(part) || !isClosed(node, ast.root) || !neverFails(part, rule, snapshot, analysed))
    return undefined;
  const name = freshName(source.text);
  const pad = ' '.repeat(dash.length);
  const rest = [
    `actions:`,
    `  - type: set-vars`,
    `    config:`,
    `      vars:`,
    `        - ${name}: ${oneLineString(`\${${part}}`)}`,
  ];
  const added = `${dash}${rest.join(`\n${pad}`)}\n`;
  const start = lineStart(source.text, rule.range.start);
  // A name needs no parentheses.
  const before = expression.source.slice(0, node.range.start);
  const after = expression.source.slice(node.range.end);
  const isLoose = /(?:^|[^\w\s])\s*\($/.test(before) && after.startsWith(')');
  const replaced = isLoose ? `${before.slice(0, -1)}vars.${name}${after.slice(1)}` : `${before}vars.${name}${after}`;
  return [
    { range: { start, end: start }, newText: added },
    { range: expression.range, newText: oneLineString(replaced) },
  ];
}

function smallestAround(node: Expr, start: number, end: number): Expr | undefined {
  if (start < node.range.start || end > node.range.end) return undefined;
  for (const child of childrenOf(node)) {
    const found = smallestAround(child, start, end);
    if (found) return found;
  }
  return node;
}

/** Returns true if a part is not inside a macro, whose variables it may use. */
function isClosed(part: Expr, root: Expr): boolean {
  const walk = (node: Expr): boolean => {
    if (node === part) return true;
    if (node.kind === 'comprehension') return false;
    return childrenOf(node).some(walk);
  };
  return walk(root);
}

/** Returns true if the solver proves that a condition, as the only one of its rule, never ends in an error. */
function neverFails(part: string, rule: Rule, { source }: Snapshot, { target }: AnalysedPolicy): boolean {
  const [first, last] = [rule.expressions[0]!, rule.expressions.at(-1)!];
  const alone = source.edited({
    range: { start: first.range.start, end: last.range.end },
    newText: oneLineString(part),
  });
  const { policy } = analyzePolicy(alone, target);
  const tested = policy?.rules[rule.phase][rule.index];
  if (!policy || !tested) return false;
  const { profile, endpoint, environments } = target;
  const prover = new PolicyProver(policy, { profile, endpoint, environments });
  return prover.prove({ kind: 'never_fails', rule: tested }).kind === 'proved';
}

function freshName(text: string): string {
  const used = new Set(text.match(/\w+/g));
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'condition' : `condition_${number}`;
    if (!used.has(name)) return name;
  }
}
