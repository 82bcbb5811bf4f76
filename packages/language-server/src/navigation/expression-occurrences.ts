import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '@tollgate/policy';
import { isOperator, visitWritten } from '../cel/nodes.ts';
import { pathOf } from '../cel/partial-expression.ts';
import type { Occurrence } from './occurrence.ts';

/** A checked expression in a document. */
interface PlacedExpression {
  readonly typed: TypedAst;
  readonly text: MappedText;
  readonly offset: number;
  /** Identifies the policy. */
  readonly scope: string;
}

/** Returns the names in an expression: inputs, functions, variables that actions set, and those that macros bind. */
export function occurrencesInExpression({ typed, text, offset, scope }: PlacedExpression): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const place = ({ start, end }: Range) => documentRange(text, { start: start + offset, end: end + offset });
  const add = (one: Omit<Occurrence, 'range' | 'isDefinition'>, range: Range, isDefinition = false) =>
    found.push({ ...one, range: place(range), isDefinition });
  const bound = boundNames(typed);
  const origin = `${scope} ${text.range.start} ${offset}`;
  visitWritten(typed.ast, node => {
    if (node.kind === 'call' && !isOperator(node))
      add({ kind: 'function', keys: [`function ${node.function}`], name: node.function }, node.functionRange);
    if (node.kind === 'call' && node.function === '_[_]') {
      const [operand, index] = node.args;
      if (
        operand?.kind === 'ident' &&
        operand.name === 'vars' &&
        index?.kind === 'literal' &&
        index.literal.type === 'string'
      )
        add(
          { kind: 'variable', keys: [`variable ${scope} ${index.literal.value}`], name: index.literal.value },
          { start: index.range.start + 1, end: index.range.end - 1 },
        );
    }
    if (node.kind === 'ident') {
      const local = bound.find(
        one => one.name === node.name && one.range.start <= node.range.start && node.range.end <= one.range.end,
      );
      if (local)
        add(
          { kind: 'local', keys: [`local ${origin} ${local.range.start} ${node.name}`], name: node.name },
          node.range,
          local.declared === node.range.start,
        );
      else add({ kind: 'input', keys: [`input ${node.name}`], name: node.name }, node.range);
    }
    if (node.kind === 'select') {
      const steps = pathOf(node);
      const [first] = steps ?? [];
      if (!steps || bound.some(one => one.name === first)) return;
      if (first === 'vars' && steps.length === 2)
        add({ kind: 'variable', keys: [`variable ${scope} ${node.field}`], name: node.field }, node.fieldRange);
      else add({ kind: 'input', keys: [`input ${steps.join('.')}`], name: node.field }, node.fieldRange);
    }
  });
  return found;
}

interface Bound {
  readonly name: string;
  /** Where the name is declared. */
  readonly declared: number;
  /** The macro call. */
  readonly range: Range;
}

/** Returns the names that macros bind: their first arguments if these are identifiers. Inner ones first. */
function boundNames({ ast }: TypedAst): readonly Bound[] {
  const found: Bound[] = [];
  for (const call of ast.macroCalls.values()) {
    const names = call.args.slice(0, call.args.length > 2 ? 2 : 1);
    for (const one of call.function === 'has' ? [] : names)
      if (one.kind === 'ident') found.push({ name: one.name, declared: one.range.start, range: argumentsRange(call) });
  }
  return found.toSorted((a, b) => b.range.start - a.range.start);
}

/** The receiver of a macro does not see its variable. */
function argumentsRange({ functionRange, range }: { readonly functionRange: Range; readonly range: Range }): Range {
  return { start: functionRange.end, end: range.end };
}
