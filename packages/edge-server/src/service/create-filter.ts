// Filters of lists, in CEL. Loaded on first use, since most servers never need the engine.

import {
  check,
  compileClosures,
  createEnvironment,
  DURATION,
  DYN,
  type Environment,
  extendEnvironment,
  FUNCTION_BODIES_LIBRARY,
  type FunctionDecl,
  formatType,
  type Overload,
  objectType,
  parse,
  STRING,
  STRINGS_LIBRARY,
  TIMESTAMP,
} from '@tollgate/cel';
import { shapeOf } from '@tollgate/edge-api';

/** The result of reading a filter. */
type Filter =
  | { readonly kind: 'filter'; readonly matches: (entry: Readonly<Record<string, unknown>>, now: number) => boolean }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'no-boolean'; readonly type: string };

/** Small, because filters run on the event loop, once for each record. */
const LIMITS = { maxDepth: 50, maxNodes: 1000, maxDiagnostics: 1, maxSteps: 1000, maxTextLength: 10_000 };

/** Returns the filter for a CEL expression over `obj`, a record of the shape. */
export function createFilter(source: string, shape: string): Filter {
  const environment = environmentOf(shape);
  const { ast, diagnostics } = parse(source, environment);
  const checked = check(ast, environment);
  const [error] = [...diagnostics, ...checked.diagnostics];
  if (error) return { kind: 'error', message: `${error.message}, at character ${error.range.start + 1}` };
  const { resultType } = checked.typed;
  if (resultType.kind !== 'bool' && resultType.kind !== 'dyn')
    return { kind: 'no-boolean', type: formatType(resultType) };
  const program = compileClosures(checked.typed, environment);
  const times = timesOf(shape);
  return {
    kind: 'filter',
    matches: (entry, now) => program.evaluate({ obj: withTimes(entry, times), 'time.now': new Date(now) }) === true,
  };
}

/** A record's fields are of any type, because most may be null; other fields are errors. */
function environmentOf(shape: string): Environment {
  const fields = Object.entries(shapeOf(shape).fields).filter(([, { use }]) => use !== 'request');
  const environment = createEnvironment({
    libraries: [STRINGS_LIBRARY, FUNCTION_BODIES_LIBRARY],
    variables: [
      { name: 'obj', type: objectType(shape) },
      { name: 'time.now', type: TIMESTAMP },
    ],
    objects: [{ name: shape, fields: new Map(fields.map(([name, { doc }]) => [name, { type: DYN, doc }])) }],
    functions: [shifting('add', '+'), shifting('subtract', '-')],
    plainData: true,
  });
  return extendEnvironment(environment, { limits: LIMITS });
}

/** Returns a method of timestamps that takes a duration, or a string such as `7d` or `90m`. */
function shifting(name: string, operator: string): FunctionDecl {
  const days = "duration(string(int(d.substring(0, d.size() - 1)) * 24) + 'h')";
  const body = (source: string): NonNullable<Overload['body']> => ({ paramNames: ['t', 'd'], source });
  const overload = { member: true, result: TIMESTAMP };
  return {
    name,
    doc: `Returns the time ${operator === '+' ? 'after' : 'before'} a timestamp by a duration.`,
    overloads: [
      { ...overload, id: `timestamp_${name}_duration`, params: [TIMESTAMP, DURATION], body: body(`t ${operator} d`) },
      {
        ...overload,
        id: `timestamp_${name}_string`,
        params: [TIMESTAMP, STRING],
        body: body(`t ${operator} (d.endsWith('d') ? ${days} : duration(d))`),
      },
    ],
  };
}

/** Returns the fields of a shape that contain times. */
function timesOf(shape: string): readonly string[] {
  return Object.entries(shapeOf(shape).fields).flatMap(([name, { type }]) =>
    type.kind === 'text' && type.formats?.some(({ format }) => format === 'timestamp') ? [name] : [],
  );
}

function withTimes(
  entry: Readonly<Record<string, unknown>>,
  times: readonly string[],
): Readonly<Record<string, unknown>> {
  const changed: Record<string, unknown> = { ...entry };
  for (const name of times) if (typeof changed[name] === 'string') changed[name] = new Date(changed[name]);
  return changed;
}
