import { EvaluationError, type Expr } from '@tollgate/cel';
import { compilePattern } from '@tollgate/cel/tooling';
import type { Condition } from '../formula/condition.ts';
import { below, between } from '../values/range-set.ts';
import { afterString, LAST_BEFORE_SURROGATES } from '../values/string-values.ts';
import { flagSet, rangesOf, TRUE } from '../values/value-set.ts';
import { constantOf } from './constant-value.ts';
import { claimAbout, truthOf } from './read-term.ts';
import { operandsOf, overloadOf, type ReaderContext, typeOfExpr } from './reader-context.ts';

type LiteralTest = 'prefix' | 'suffix' | 'part' | 'equal';

const QUESTIONS: Readonly<Record<string, LiteralTest>> = {
  starts_with_string: 'prefix',
  ends_with_string: 'suffix',
  contains_string: 'part',
};

const FROM_PATTERN = { literal: 'part', prefix: 'prefix', suffix: 'suffix', equals: 'equal' } as const;

/** Reads `startsWith`, `endsWith`, `contains` and `matches` with a constant; undefined for other calls. */
export function stringCondition(reader: ReaderContext, call: Extract<Expr, { kind: 'call' }>): Condition | undefined {
  const overload = overloadOf(reader, call) ?? '';
  const [operand, sought] = operandsOf(reader, call);
  const isPattern = overload === 'matches' || overload === 'matches_string';
  const question = QUESTIONS[overload];
  if ((question === undefined && !isPattern) || typeOfExpr(reader, operand!) !== 'string') return undefined;
  const constant = constantOf(reader, sought!);
  if (constant?.kind !== 'text') return undefined;
  return question === undefined
    ? patternCondition(reader, { call, operand: operand!, pattern: constant.text })
    : ask(reader, { question, operand: operand!, text: constant.text });
}

interface PatternCall {
  readonly call: Expr;
  readonly operand: Expr;
  readonly pattern: string;
}

function patternCondition(reader: ReaderContext, { call, operand, pattern }: PatternCall): Condition {
  const compiled = compilePattern(pattern, reader.environment.limits);
  if (compiled instanceof EvaluationError) return truthOf(reader, call);
  if (compiled.kind !== 'regexp' && compiled.kind !== 're2') {
    return ask(reader, { question: FROM_PATTERN[compiled.kind], operand, text: compiled.text });
  }
  const view = { kind: 'pattern', text: pattern, test: (text: string) => compiled.test(text) } as const;
  return claimAbout(reader, operand, view, () => flagSet(TRUE));
}

interface OperandTest {
  readonly question: LiteralTest;
  readonly operand: Expr;
  readonly text: string;
}

function ask(reader: ReaderContext, { question, operand, text }: OperandTest): Condition {
  const about = (from: string, to?: string) =>
    claimAbout(reader, operand, { kind: 'text' }, ({ universe }) =>
      to === undefined ? universe : rangesOf(between(below(from), below(to))),
    );
  if (question === 'equal') return about(text, afterString(text));
  // Every string contains the empty string.
  if (text === '') return about('');
  if (question === 'prefix') {
    const end = afterPrefix(text);
    if (end !== undefined) return about(text, end);
  }
  return claimAbout(reader, operand, { kind: question, text, test: TESTS[question](text) }, () => flagSet(TRUE));
}

const TESTS = {
  prefix: (part: string) => (text: string) => text.startsWith(part),
  suffix: (part: string) => (text: string) => text.endsWith(part),
  part: (part: string) => (text: string) => text.includes(part),
};

/** Returns the first string after all strings with a prefix; undefined if its last character has no simple successor. */
function afterPrefix(text: string): string | undefined {
  const last = text.charCodeAt(text.length - 1);
  return last < LAST_BEFORE_SURROGATES ? text.slice(0, -1) + String.fromCharCode(last + 1) : undefined;
}
