import type { CallExpr, Expr } from '../../ast/ast.ts';
import { CLAUSE, MAX_PRECISION } from '../../runtime/strings/format.ts';
import { formatType } from '../../types/format.ts';
import type { Type } from '../../types/type.ts';
import type { ConstantFormat, FormatFault } from '../declarations/constant-check.ts';

/**
 * Returns the reasons why `text.format([…])` fails in every run: an invalid clause, a value of the wrong type, fewer values than clauses.
 * Also reports more values than clauses, which only the checker of the reference implementation refuses.
 */
export function formatFaultsOf(call: CallExpr, format: ConstantFormat): readonly FormatFault[] {
  const [list] = call.args;
  if (list?.kind !== 'list' || list.optionalIndices.length > 0) return [];
  const faults: FormatFault[] = [];
  let used = 0;
  for (const match of format.text.matchAll(CLAUSE)) {
    const [clause, percent, precision = '0', letter] = match;
    if (percent !== undefined) continue;
    if (letter === undefined || Number(precision) > MAX_PRECISION) return [...faults, clauseFault(format, match.index)];
    const value = list.elements[used++];
    const fault = value && valueFault({ clause, letter, value }, format.types[value.id]);
    if (fault !== undefined) faults.push(fault);
  }
  return used === list.elements.length ? faults : [...faults, countFault(format, used, list.elements.length)];
}

function clauseFault(format: ConstantFormat, offset: number): FormatFault {
  const [clause] = /^%[.\d]*.?/su.exec(format.text.slice(offset))!;
  return {
    message: `\`${clause}\` is not a format clause; write \`%%\` for a percent sign, or a clause such as \`%s\` or \`%.2f\``,
    range: format.rangeAt(offset),
    args: { clause },
  };
}

const NUMBERS = ['int', 'uint', 'double'];

/** The types that a clause accepts, by its letter; `%s` accepts all but those of libraries. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
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

function valueFault({ clause, letter, value }: Substitution, type: Type | undefined): FormatFault | undefined {
  if (type === undefined || UNKNOWN_KINDS.includes(type.kind)) return undefined;
  const accepted = ACCEPTED[letter];
  const isAccepted =
    accepted === undefined ? !['optional', 'opaque'].includes(type.kind) : accepted.includes(type.kind);
  if (isAccepted) return undefined;
  const found = formatType(type);
  const expected = accepted?.join(', ') ?? 'a value of the standard types';
  return {
    message: `\`${clause}\` cannot format a value of type ${found}; expected ${expected}`,
    range: value.range,
    args: { clause, found, expected },
  };
}

function countFault({ range }: ConstantFormat, clauses: number, values: number): FormatFault {
  const remedy = clauses > values ? 'add a value for each clause' : 'remove the values that no clause uses';
  return {
    message: `the format has ${counted(clauses, 'clause')} for ${counted(values, 'value')}; ${remedy}`,
    range,
    args: { clauses, values },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
