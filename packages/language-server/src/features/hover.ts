import { formatType } from '@tollgate/cel';
import { describeRule, phrasesOfRule, textOfPhrases } from '@tollgate/describe';
import type { Range } from '@tollgate/diagnostics';
import { type Hover, MarkupKind } from 'vscode-languageserver-types';
import { lineAt } from '../cursor/block-levels.ts';
import { type Shape, shapeAt, shapedDocument } from '../cursor/document-shape.ts';
import {
  type ExpressionAt,
  expressionAt,
  inDocument,
  isOperator,
  nodesAt,
  typedOf,
} from '../cursor/expression-place.ts';
import { pathOf } from '../cursor/partial-expression.ts';
import { contextAt } from '../cursor/position-context.ts';
import { toRange } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';
import {
  describeAction,
  describeField,
  describeFunction,
  describeMacro,
  describePhase,
  describeVariable,
  fenced,
  paragraphs,
} from './describe.ts';

/** Documentation with the range that it is about. */
interface Found {
  readonly range: Range;
  readonly markdown: string;
}

/** Returns the documentation of what is at an offset. */
export function hover(snapshot: Snapshot, offset: number): Hover | undefined {
  const found = inSuppression(snapshot, offset) ?? inExpression(snapshot, offset) ?? inDocumentPart(snapshot, offset);
  if (!found) return undefined;
  const contents = { kind: MarkupKind.Markdown, value: found.markdown };
  return { contents, range: toRange(snapshot.source, found.range) };
}

function inExpression(snapshot: Snapshot, offset: number): Found | undefined {
  const expression = expressionAt(snapshot, offset);
  if (!expression) return undefined;
  const typed = typedOf(expression);
  const node = nodesAt(typed.ast, expression.at).at(-1);
  if (!node) return undefined;
  const type = typed.types[node.id];
  const shown = expression.source.slice(node.range.start, node.range.end);
  const head = type && type.kind !== 'error' ? fenced(`${shown}: ${formatType(type)}`) : undefined;
  const told = tellAbout(node, expression, typed);
  const markdown = told ?? head;
  return markdown === undefined ? undefined : { range: inDocument(expression, rangeOf(node)), markdown };
}

type Node = ReturnType<typeof nodesAt>[number];

function rangeOf(node: Node): Range {
  if (node.kind === 'select') return node.fieldRange;
  return node.kind === 'call' ? node.functionRange : node.range;
}

function tellAbout(node: Node, { analysed, environment, phase }: ExpressionAt, typed: ReturnType<typeof typedOf>) {
  const { target } = analysed;
  const path = pathOf(node)?.join('.');
  const facts = path === undefined ? [] : target.profile.variables.filter(one => one.path === path);
  const fact = facts.find(one => one.phases.includes(phase)) ?? facts[0];
  if (fact) return describeVariable(fact);
  if (node.kind === 'select' || node.kind === 'ident') {
    const type = typed.types[node.id];
    const name = path ?? (node.kind === 'select' ? node.field : node.name);
    const doc = target.profile.objects.find(one => one.name === path)?.doc ?? fieldDoc(node, typed, environment);
    return type && type.kind !== 'error' ? paragraphs([fenced(`${name}: ${formatType(type)}`), doc]) : undefined;
  }
  if (node.kind !== 'call' || isOperator(node)) return undefined;
  const reference = typed.references[node.id];
  const decl = environment.functions.get(node.function) ?? qualifiedFunction(node, environment);
  if (!decl) return describeMacro(node.function, environment);
  const overloads = reference?.kind === 'function' ? reference.overloads : decl.overloads;
  return describeFunction(decl, overloads, target.profile.functions);
}

function qualifiedFunction(node: Extract<Node, { kind: 'call' }>, environment: ExpressionAt['environment']) {
  const prefix = node.target && pathOf(node.target)?.join('.');
  return prefix === undefined ? undefined : environment.functions.get(`${prefix}.${node.function}`);
}

function fieldDoc(node: Node, typed: ReturnType<typeof typedOf>, environment: ExpressionAt['environment']) {
  if (node.kind !== 'select') return undefined;
  const owner = typed.types[node.operand.id];
  return owner?.kind === 'object' ? environment.objects.get(owner.name)?.fields.get(node.field)?.doc : undefined;
}

/** Keys, and values that mean something. */
function inDocumentPart(snapshot: Snapshot, offset: number): Found | undefined {
  const document = shapedDocument(snapshot, offset);
  if (!document) return undefined;
  const { text } = snapshot.source;
  const line = lineAt(text, offset);
  const key = line.key && line.key.start <= offset && offset <= line.key.end ? line.key : undefined;
  // Behind the colon, the path ends with the key.
  const context = contextAt(text, key ? Math.max(line.rest, key.end + 1) : offset);
  const shape = shapeAt(context, document);
  const end = Math.min(offset + (/[^\w-]|$/.exec(text.slice(offset, offset + 200))?.index ?? 0), line.end);
  const range = key ? { start: key.start, end: key.end } : { start: Math.min(context.start, offset), end };
  const sentence = aboutRule(snapshot, key ?? range, text.slice(range.start, range.end));
  if (!shape) return sentence === undefined ? undefined : { range, markdown: sentence };
  const about = aboutShape(
    shape,
    { project: snapshot.project, target: document.target },
    key ? undefined : text.slice(range.start, range.end),
  );
  const markdown = [sentence, about].filter(one => one !== undefined).join('\n\n---\n\n');
  return markdown === '' ? undefined : { range, markdown };
}

/** Keys of a rule that are about all of it. */
const RULE_KEYS: readonly string[] = ['name', 'expressions', 'actions'];

/** Says what the rule does whose name or key is at a range. */
function aboutRule({ policies }: Snapshot, { start, end }: Range, text: string): string | undefined {
  const contains = (range: Range) => range.start <= start && end <= range.end;
  for (const { policy, target } of policies) {
    const rules = target.profile.phases.flatMap(phase => policy.rules[phase]);
    const rule = rules.find(({ range }) => contains(range));
    if (rule === undefined) continue;
    const isKey = RULE_KEYS.includes(text) && ![...rule.actions, ...rule.expressions].some(one => contains(one.range));
    if (!isKey && !(rule.name && contains(rule.name.range))) return undefined;
    const sentence = describeRule(rule, policy);
    return sentence && textOfPhrases(phrasesOfRule(sentence));
  }
  return undefined;
}

function aboutShape(
  shape: Shape,
  { target, project }: Pick<Snapshot, 'target' | 'project'>,
  value: string | undefined,
): string | undefined {
  const { field, role, phase } = shape;
  const action = role === 'action-type' ? target?.profile.actions.find(one => one.type === value) : undefined;
  if (action) return describeAction(action);
  if (role === 'policy' && phase && target) return describePhase(target.profile, phase);
  const rule = value === undefined ? undefined : project.rules().find(one => one.id === value);
  if (rule) return paragraphs([`**${rule.id}**`, rule.summary, rule.rationale]);
  return field && describeField(field);
}

/** Names in comments that suppress findings. */
function inSuppression({ source, project }: Snapshot, offset: number): Found | undefined {
  const { text } = source;
  const line = lineAt(text, offset);
  const comment = /#\s*tollgate-ignore.*$/.exec(text.slice(line.start, line.end));
  if (!comment || offset < line.start + comment.index) return undefined;
  const start = offset - (/[\w/*-]*$/.exec(text.slice(line.start, offset))?.[0].length ?? 0);
  const id = /^[\w/*-]*/.exec(text.slice(start, line.end))?.[0] ?? '';
  const range = { start, end: start + id.length };
  const rule = project.rules().find(one => one.id === id);
  return rule && { range, markdown: paragraphs([`**${id}**`, rule.summary, rule.rationale]) };
}
