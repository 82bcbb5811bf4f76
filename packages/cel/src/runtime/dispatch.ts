import type { Overload } from '../library/declaration.ts';
import type { Type } from '../types/type.ts';
import type { Implementation, RunContext } from './implementation.ts';
import { matchesType, type Tagger, toTagged, toTyped, type Untagger } from './representation.ts';
import { kindOf, runtimeTypeOf } from './runtime-type.ts';
import { EvaluationError, NonValue, type Value } from './value.ts';

/** An overload that a call may turn out to mean, with its code. */
export interface Candidate {
  readonly overload: Overload;
  readonly implementation: Implementation;
}

/** Takes tagged values, gives a tagged one. */
export type Dispatcher = (...args: readonly Value[]) => Value | NonValue;

interface Prepared {
  readonly params: readonly Type[];
  readonly untaggers: readonly (Untagger | undefined)[];
  readonly call: (...args: readonly unknown[]) => Value | NonValue;
  readonly callMixed: ((...args: readonly unknown[]) => Value | NonValue) | undefined;
  readonly tagResult: Tagger | undefined;
}

/**
 * Calls the first of the candidates whose parameter types the values have; none is `eval/no-matching-overload`.
 * @param name of the function, for the message
 */
export function createDispatcher(name: string, candidates: readonly Candidate[], context: RunContext): Dispatcher {
  const prepared = candidates.map(candidate => prepare(candidate, context));
  return (...args) => {
    const chosen = prepared.find(({ params }) => accepts(params, args));
    if (chosen !== undefined) return run(chosen, args);
    const mixed = prepared.find(({ params, callMixed }) => callMixed !== undefined && acceptsKinds(params, args));
    return mixed === undefined ? noOverload(name, args) : mixed.callMixed!(...args);
  };
}

function prepare({ overload, implementation }: Candidate, context: RunContext): Prepared {
  const call = implementation.call as Prepared['call'];
  return {
    params: overload.params,
    untaggers: overload.params.map(toTyped),
    call: implementation.needsContext ? (...args) => call(context, ...args) : call,
    callMixed: implementation.mixed as Prepared['callMixed'],
    tagResult: toTagged(overload.result),
  };
}

function accepts(params: readonly Type[], args: readonly Value[]): boolean {
  return params.length === args.length && params.every((type, index) => matchesType(args[index]!, type));
}

/** Whether the values are what the parameters say, their elements aside. */
function acceptsKinds(params: readonly Type[], args: readonly Value[]): boolean {
  return params.length === args.length && params.every(({ kind }, index) => kindOf(args[index]!) === kind);
}

function run({ untaggers, call, tagResult }: Prepared, args: readonly Value[]): Value | NonValue {
  const result = call(...args.map((arg, index) => untaggers[index]?.(arg) ?? arg));
  return tagResult === undefined || result instanceof NonValue ? result : tagResult(result);
}

function noOverload(name: string, args: readonly Value[]): EvaluationError {
  const types = args.map(arg => runtimeTypeOf(arg).name).join(', ');
  return new EvaluationError('eval/no-matching-overload', `no overload of \`${name}\` takes (${types})`);
}
