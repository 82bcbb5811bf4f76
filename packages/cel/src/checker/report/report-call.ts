import type { CallExpr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import type { Callable, Candidate, CandidateSet } from '../../library/declarations/declaration-index.ts';
import { isAssignable } from '../../types/assignable.ts';
import { formatType, formatTypes } from '../../types/format.ts';
import type { Type } from '../../types/type.ts';
import { type CheckContext, resolved } from '../context/check-context.ts';
import { displayType, report } from './report.ts';

/** A call of a known function that has no matching overload. */
interface FailedCall {
  readonly call: CallExpr;
  readonly callable: Callable;
  /** The target comes first if `member` is true. */
  readonly member: boolean;
  readonly args: readonly Type[];
}

/** Reports why no overload matches: wrong call style, wrong number of arguments, or wrong types. */
export function reportNoOverload(c: CheckContext, failed: FailedCall): Type {
  const { callable, member, args } = failed;
  const table = member ? callable.member : callable.global;
  if (table.length === 0) return reportWrongForm(c, failed);
  const candidates = table[args.length - (member ? 1 : 0)];
  if (candidates === undefined) return reportWrongCount(c, failed, table);
  return reportWrongTypes(c, failed, candidates.all);
}

function reportWrongForm(c: CheckContext, { call, callable, member }: FailedCall): Type {
  const { name } = callable.declaration;
  const form = member ? `the function \`${name}(…)\`` : `the method \`target.${name}(…)\``;
  return report(c, {
    code: 'type/wrong-call-form',
    message: `\`${name}\` is ${form}, but is called as a ${member ? 'method' : 'function'}`,
    range: call.functionRange,
    args: { function: name, member },
  });
}

function reportWrongCount(
  c: CheckContext,
  { call, callable, member, args }: FailedCall,
  table: readonly (CandidateSet | undefined)[],
): Type {
  const { name } = callable.declaration;
  const accepted = [...table.keys()].filter(count => table[count] !== undefined);
  const found = args.length - (member ? 1 : 0);
  const plural = accepted.length === 1 && accepted[0] === 1 ? 'argument' : 'arguments';
  return report(c, {
    code: 'type/wrong-argument-count',
    message: `\`${name}\` takes ${accepted.join(' or ')} ${plural}, found ${found}`,
    range: call.functionRange,
    args: { function: name, expected: accepted.map(String), found },
  });
}

function reportWrongTypes(c: CheckContext, failed: FailedCall, candidates: readonly Candidate[]): Type {
  const { call, callable, args } = failed;
  const name = callable.declaration.name;
  const found = args.map(type => displayType(c, type));
  const expected = nearestOverloads(c, candidates, args).map(overload => signature(name, overload));
  return report(c, {
    code: 'type/no-matching-overload',
    message: describe(name, found, expected),
    range: name === '_[_]' ? { start: call.functionRange.start, end: call.range.end } : call.functionRange,
    args: { function: name, found, expected },
  });
}

function describe(name: string, found: readonly string[], expected: readonly string[]): string {
  switch (name) {
    case '_==_':
    case '_!=_':
      return `\`${displayName(name)}\` compares values of one type, found ${found.join(' and ')}`;
    case '_?_:_':
      return `the branches of \`?:\` must have one type, found ${found.slice(1).join(' and ')}`;
    default: {
      const types = `(${found.join(', ')})`;
      return `no overload of \`${displayName(name)}\` takes ${types}; expected ${expected.join(' or ')}`;
    }
  }
}

const MAX_SHOWN = 3;

/** Returns the overloads that accept the most arguments, in declaration order. */
function nearestOverloads(
  c: CheckContext,
  candidates: readonly Candidate[],
  args: readonly Type[],
): readonly Overload[] {
  const types = args.map(type => resolved(c, type));
  const usable = candidates.filter(candidate => !candidate.dynamicOnly).map(candidate => candidate.overload);
  const fits = usable.map(({ params }) => types.filter((type, i) => isAssignable(params[i]!, type)).length);
  const most = Math.max(...fits);
  return usable.filter((_, i) => fits[i] === most).slice(0, MAX_SHOWN);
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['_?_:_', '?:'],
  ['_[_]', '[]'],
  ['_[?_]', '[?]'],
  ['@in', 'in'],
  ['!_', '!'],
  ['-_', '-'],
]);

/** Returns the name as users write it: `+` for `_+_`. */
function displayName(name: string): string {
  return SYMBOLS.get(name) ?? /^_(.+)_$/.exec(name)?.[1] ?? name;
}

/** Returns the overload as it is called: `int + int`, `string.contains(string)`, `list(A)[int]`. */
function signature(name: string, overload: Overload): string {
  const types = overload.params.map(formatType);
  if (name === '_[_]') return `${types[0]}[${types[1]}]`;
  if (name === '_[?_]') return `${types[0]}[?${types[1]}]`;
  const symbol = displayName(name);
  if (symbol !== name) return types.length === 1 ? `${symbol}${types[0]}` : types.join(` ${symbol} `);
  if (overload.member) return `${types[0]}.${name}(${formatTypes(overload.params.slice(1))})`;
  return `${name}(${types.join(', ')})`;
}
