import type { Overload } from '../ast/ast.ts';
import { isDynamic, type Type } from '../ast/types.ts';
import { EvaluationError, kindOf, NonValue, type RuntimeKind, runtimeTypeOf, type Value } from '../values/value.ts';
import type { Implementation, RunContext } from './context.ts';
import { matchesType, type Tagger, toTagged, toTyped, type Untagger } from './host.ts';

/** A possible overload of a call, with its code. */
interface Candidate {
  readonly overload: Overload;
  readonly implementation: Implementation;
}

/** Takes tagged values and returns a tagged value. */
type Dispatcher = (...args: readonly Value[]) => Value | NonValue;

interface Prepared {
  readonly params: readonly Param[];
  readonly call: (...args: readonly unknown[]) => Value | NonValue;
  readonly callMixed: ((...args: readonly unknown[]) => Value | NonValue) | undefined;
  readonly tagResult: Tagger | undefined;
}

interface Param {
  /** The required kind of value; undefined if there are several. */
  readonly kind: RuntimeKind | undefined;
  /** Set if the kind alone does not decide. */
  readonly type: Type | undefined;
  readonly untag: Untagger | undefined;
}

/**
 * Returns a function that calls the first candidate whose parameter types match the values; it returns `eval/no-matching-overload` if none
 * does.
 *
 * @param name of the function, for the message
 */
export function createDispatcher(name: string, candidates: readonly Candidate[], context: RunContext): Dispatcher {
  const prepared = candidates.map(candidate => prepare(candidate, context));
  return (...args) => {
    const kinds = args.map(kindOf);
    for (const candidate of prepared) {
      if (accepts(candidate.params, args, kinds)) return run(candidate, args);
    }
    const mixed = prepared.find(({ params, callMixed }) => callMixed !== undefined && acceptsKinds(params, kinds));
    return mixed === undefined ? noOverload(name, args) : mixed.callMixed!(...args);
  };
}

function prepare({ overload, implementation }: Candidate, context: RunContext): Prepared {
  const call = implementation.call as Prepared['call'];
  const mixed = implementation.mixed as Prepared['callMixed'];
  return {
    params: overload.params.map(paramOf),
    call: implementation.needsContext ? (...args) => call(context, ...args) : call,
    callMixed: mixed && implementation.needsContext ? (...args) => mixed(context, ...args) : mixed,
    tagResult: toTagged(overload.result),
  };
}

function paramOf(type: Type): Param {
  const isNumber = type.kind === 'double' || type.kind === 'uint';
  return {
    kind: KINDS[type.kind],
    type: decidedByKind(type) ? undefined : type,
    // Once the type is known, only numbers differ in representation.
    untag: isNumber ? toTyped(type) : undefined,
  };
}

const KINDS: Readonly<Partial<Record<Type['kind'], RuntimeKind>>> = {
  null: 'null',
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  timestamp: 'timestamp',
  duration: 'duration',
  type: 'type',
  list: 'list',
  map: 'map',
  optional: 'optional',
  object: 'map',
};

function decidedByKind(type: Type): boolean {
  switch (type.kind) {
    case 'list':
      return isDynamic(type.element);
    case 'map':
      return isDynamic(type.key) && isDynamic(type.value);
    case 'optional':
      return isDynamic(type.value);
    case 'object':
      return false;
    default:
      return isDynamic(type) || type.kind in KINDS;
  }
}

function accepts(params: readonly Param[], args: readonly Value[], kinds: readonly RuntimeKind[]): boolean {
  if (params.length !== args.length) return false;
  for (let i = 0; i < params.length; i++) {
    const { kind, type } = params[i]!;
    if (kind !== undefined && kind !== kinds[i]) return false;
    if (type !== undefined && !matchesType(args[i]!, type)) return false;
  }
  return true;
}

/** Returns true if the values match the parameters, apart from inner values. */
function acceptsKinds(params: readonly Param[], kinds: readonly RuntimeKind[]): boolean {
  return params.length === kinds.length && params.every(({ kind }, index) => kind === kinds[index]);
}

function run({ params, call, tagResult }: Prepared, args: readonly Value[]): Value | NonValue {
  const typed = args.map((arg, index) => params[index]!.untag?.(arg) ?? arg);
  const result = call(...typed);
  return tagResult === undefined || result instanceof NonValue ? result : tagResult(result);
}

function noOverload(name: string, args: readonly Value[]): EvaluationError {
  const types = args.map(arg => runtimeTypeOf(arg).name).join(', ');
  return new EvaluationError('eval/no-matching-overload', `no overload of \`${name}\` takes (${types})`);
}
