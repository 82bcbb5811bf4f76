import type { Sample } from '@tollgate/catalog';
import { EvaluationError, type NonValue, toHost, Unknown, type Value } from '@tollgate/cel';
import { expressionSource, findInterpolations } from '@tollgate/policy';
import { fieldOf } from './config.ts';
import type { ActionContext } from './effect.ts';
import { type Filling, type FillText, joinParts } from './filling.ts';
import { prepareTemplate } from './path-template.ts';

/** Makes a text in the configuration ready to be filled in, in the way of its field. */
export function prepareText(text: string, field: string, context: ActionContext): FillText {
  const interpolation = fieldOf(context, field)?.interpolation;
  if (interpolation === 'path-templates') return prepareTemplate(text, context);
  return interpolation?.endsWith('expressions') ? prepareExpressions(text, context) : () => text;
}

/** Makes a text ready whose field lies deeper, and which has expressions wherever these exist. */
export function prepareExpressions(text: string, context: ActionContext): FillText {
  const parts = partsOf(text, context.switches.interpolationEscape).map(part =>
    part.kind === 'text' ? unescaped(part.text, context) : expressionText(part.text, context),
  );
  return filling => joinParts(parts, part => (typeof part === 'string' ? part : part(filling)));
}

/** A text with expressions in it, in order. */
export type TextPart = { readonly kind: 'text' | 'expression'; readonly text: string };

/** Splits a text at its expressions. Texts are as written, escapes included. */
export function partsOf(
  text: string,
  escapeSign: ActionContext['switches']['interpolationEscape'],
): readonly TextPart[] {
  const { expressions } = findInterpolations(text, escapeSign);
  const parts: TextPart[] = [];
  let end = 0;
  for (const range of expressions) {
    parts.push({ kind: 'text', text: text.slice(end, range.start - 2) });
    parts.push({ kind: 'expression', text: expressionSource(text.slice(range.start, range.end)) });
    end = range.end + 1;
  }
  return [...parts, { kind: 'text', text: text.slice(end) }];
}

function unescaped(text: string, { switches }: ActionContext): string {
  return switches.interpolationEscape === 'none' ? text : text.replaceAll('$${', () => '${');
}

/** What CEL itself makes a text of. */
const SCALARS: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** Gives the value of an expression as text. */
export function expressionText(source: string, context: ActionContext): FillText {
  const expression = context.compile(source);
  const { evaluate } = SCALARS.has(expression.type.kind) ? context.compile(source, 'text') : expression;
  return ({ state, notes }) => {
    const value = evaluate(state);
    if (value instanceof Unknown) return value;
    if (value instanceof EvaluationError) {
      notes.push({ kind: 'failed', error: value });
      return '';
    }
    return textOfValue(value as Value);
  };
}

/** As CEL's `string()` writes it; lists and maps in JSON. */
function textOfValue(value: Value): string {
  const plain = toHost(value);
  if (typeof plain === 'string') return plain;
  return typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : String(plain);
}

/** Gives a value of the configuration with the texts in it filled in. A text that is one expression has the value of it, of any type. */
export function prepareValue(value: Sample, context: ActionContext): (filling: Filling) => Value | NonValue {
  if (typeof value === 'string') return prepareTyped(value, context);
  if (Array.isArray(value)) {
    const items = value.map(item => prepareValue(item, context));
    return filling => items.map(item => item(filling)) as unknown[] as Value[];
  }
  if (typeof value !== 'object' || value === null) return () => value as Value;
  const members = Object.entries(value).map(([key, member]) => [key, prepareValue(member, context)] as const);
  return filling => Object.fromEntries(members.map(([key, member]) => [key, member(filling)])) as Value;
}

function prepareTyped(text: string, context: ActionContext): (filling: Filling) => Value | NonValue {
  const parts = partsOf(text, context.switches.interpolationEscape);
  const [before, only, after] = parts;
  if (parts.length !== 3 || before!.text !== '' || after!.text !== '') return prepareExpressions(text, context);
  const { evaluate } = context.compile(only!.text);
  return ({ state, notes }) => {
    const value = evaluate(state);
    if (value instanceof EvaluationError) notes.push({ kind: 'failed', error: value });
    return value;
  };
}
