import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr } from '../../ast/ast.ts';
import { CLAUSE, MAX_PRECISION } from '../../runtime/strings/format.ts';
import { formatType } from '../../types/format.ts';
import type { Type } from '../../types/type.ts';
import type { Checking } from '../context/checking.ts';
import { report } from '../report/report.ts';

/** What checking a format needs. */
export interface FormatChecking {
  readonly types: readonly (Type | undefined)[];
  readonly diagnostics: Checking['diagnostics'];
}

/** A constant format, and where its parts are in the source. */
export interface Format {
  readonly text: string;
  readonly range: Range;
  readonly rangeAt: (offset: number) => Range;
}

/**
 * Reports what makes `text.format([…])` fail in every run: a clause that is none, a value of the wrong type, more clauses than
 * values. And more values than clauses, which only the checker of the reference implementation refuses.
 */
export function checkFormat(c: FormatChecking, call: CallExpr, format: Format): void {
  const [list] = call.args;
  if (list?.kind !== 'list' || list.optionalIndices.length > 0) return;
  let used = 0;
  for (const match of format.text.matchAll(CLAUSE)) {
    const [clause, percent, precision = '0', letter] = match;
    if (percent !== undefined) continue;
    if (letter === undefined || Number(precision) > MAX_PRECISION) {
      reportClause(c, format, match.index);
      return;
    }
    const value = list.elements[used++];
    if (value !== undefined) checkValue(c, { clause, letter, value });
  }
  if (used !== list.elements.length) reportCount(c, format.range, [used, list.elements.length]);
}

function reportClause(c: FormatChecking, format: Format, offset: number): void {
  const [clause] = /^%[.\d]*.?/su.exec(format.text.slice(offset))!;
  report(c, {
    code: 'type/invalid-format',
    message: `\`${clause}\` is not a format clause; write \`%%\` for a percent sign, or a clause such as \`%s\` or \`%.2f\``,
    range: format.rangeAt(offset),
    args: { clause },
  });
}

const NUMBERS = ['int', 'uint', 'double'];

/** The types that a clause takes, by its letter; `%s` takes all but those of libraries. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  d: NUMBERS,
  f: NUMBERS,
  e: NUMBERS,
  b: ['bool', 'int', 'uint'],
  o: ['int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
};

const UNKNOWN_KINDS: readonly Type['kind'][] = ['dyn', 'error', 'param', 'wrapper'];

interface Substitution {
  readonly clause: string;
  readonly letter: string;
  readonly value: Expr;
}

function checkValue(c: FormatChecking, { clause, letter, value }: Substitution): void {
  const type = c.types[value.id];
  if (type === undefined || UNKNOWN_KINDS.includes(type.kind)) return;
  const takes = TAKES[letter];
  const isTaken = takes === undefined ? !['optional', 'opaque'].includes(type.kind) : takes.includes(type.kind);
  if (isTaken) return;
  const found = formatType(type);
  const expected = takes?.join(', ') ?? 'a value of the standard types';
  report(c, {
    code: 'type/invalid-format',
    message: `\`${clause}\` cannot format a value of type ${found}; expected ${expected}`,
    range: value.range,
    args: { clause, found, expected },
  });
}

function reportCount(c: FormatChecking, range: Range, [clauses, values]: readonly [number, number]): void {
  const remedy = clauses > values ? 'add a value for each clause' : 'remove the values that no clause uses';
  report(c, {
    code: 'type/invalid-format',
    message: `the format has ${counted(clauses, 'clause')} for ${counted(values, 'value')}; ${remedy}`,
    range,
    args: { clauses, values },
  });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
