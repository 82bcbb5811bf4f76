// Refactorings of how a rule is written: a list or map in block or flow style, and a condition that a variable holds.

import type { Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { lineStart, type TextEdit as OffsetEdit, type Range, type SourceText } from '@tollgate/diagnostics';
import {
  analyzePolicy,
  type DocumentNode,
  type MapEntryNode,
  oneLineString,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import { PolicyProver } from '@tollgate/solver';
import { expressionAt } from '../cursor/expression-place.ts';
import type { AnalysedPolicy, Snapshot } from '../snapshot.ts';

/** A value of a rule in the other style: the innermost list or map in block style at a range, the outermost one in flow style. */
export function restyled(
  { node }: Policy,
  rule: Rule,
  { start, end }: Range,
  source: SourceText,
): readonly StyleChange[] {
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
export function extracted(
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
