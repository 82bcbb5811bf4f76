import type { z } from 'zod';
import { type OperationId, operationOf } from '../contract/operations.ts';
import type { RequestMode } from '../contract/shape-of.ts';
import { completed } from '../conversion/to-stored.ts';
import { pathParameters } from '../definition/identifiers.ts';
import { LIMITS } from '../definition/limits.ts';
import type { Operation } from '../definition/operation.ts';
import { nameOf } from './expected.ts';
import { type Fault, faultAt, shown } from './fault.ts';
import { faultsOf } from './issues.ts';
import { schemaOf } from './schema-of.ts';

/** What became of a request's body. */
export type Validation =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

/** Checks the bodies of requests. */
export interface Validator {
  /**
   * Checks a parsed body with every constraint that it decides alone. A valid one comes back with its defaults filled in (an update: as
   * sparse as it came, nulls dropped) and names of headers in lower case; else come all faults, unknown fields first.
   *
   * Three habits of clients are allowed: the parameters of the path repeated in the body, a module wrapped in `module`, and null for
   * *not given*.
   */
  readonly body: (id: OperationId, body: unknown, path?: Readonly<Record<string, string>>) => Validation;
}

/** A validator, which makes the schema of an operation at its first use and keeps it. */
export function createValidator(): Validator {
  const schemas = new Map<string, z.ZodType>();
  function schemaFor(name: string, mode: RequestMode): z.ZodType {
    const key = `${mode} ${name}`;
    const schema = schemas.get(key) ?? schemaOf(name, mode);
    schemas.set(key, schema);
    return schema;
  }
  return {
    body: (id, body, path = {}) => {
      const operation = operationOf(id);
      if (operation.request === null) return { ok: true, value: {} };
      if (!isObject(body)) return failed([faultAt([], 213, { value: `found ${nameOf(body)}` })]);
      const danger = dangerOf(body);
      if (danger !== undefined) return failed([faultAt([], 213, { value: danger })]);
      return checkBody({ operation, schema: schemaFor(operation.request, modeOf(operation)), body, path });
    },
  };
}

interface BodyCheck {
  readonly operation: Operation;
  readonly schema: z.ZodType;
  readonly body: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, string>>;
}

function checkBody({ operation, schema, body, path }: BodyCheck): Validation {
  const mode = modeOf(operation);
  const { rest, faults } = withoutPathValues(operation, body, path);
  const { wrapped, content } = unwrapped(operation, rest);
  const result = schema.safeParse(content);
  const found = result.success
    ? []
    : faultsOf(result.error.issues, {
        name: operation.request!,
        mode,
        body: content,
        prefix: wrapped ? ['module'] : [],
      });
  const all = [...found, ...faults];
  return all.length > 0 ? failed(all) : { ok: true, value: completed(operation.request!, mode, content) };
}

function failed(faults: readonly Fault[]): Validation {
  const [first, ...others] = faults;
  return { ok: false, faults: [first!, ...others] };
}

function modeOf({ kind }: Operation): RequestMode {
  return kind === 'update' ? 'update' : 'whole';
}

/** Clients repeat the parameters of the path in the body (part B 8.1): they must be those of the path. */
function withoutPathValues(
  { path: template, request }: Operation,
  body: Readonly<Record<string, unknown>>,
  path: Readonly<Record<string, string>>,
) {
  const names = new Set(pathParameters(template).filter(name => !(request === 'EventSource' && name === 'type')));
  const faults = [...names]
    .filter(name => body[name] !== undefined && path[name] !== undefined && body[name] !== path[name])
    .map(name => faultAt([name], 7110, { value: shown(body[name]), expected: path[name]! }));
  return { rest: Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name))), faults };
}

/** A module may come wrapped, as the TypeScript client sends it (part B 8.2). */
function unwrapped({ kind }: Operation, body: Readonly<Record<string, unknown>>) {
  const { module } = body;
  const wrapped = kind === 'replace-module' && Object.keys(body).length === 1 && isObject(module);
  return wrapped ? { wrapped, content: module } : { wrapped: false, content: body };
}

/**
 * What nobody shall be given, wherever in a body it is: nesting without bound would break those who walk it, and a key `__proto__` is
 * lost or worse wherever an object is copied.
 */
function dangerOf(body: object): string | undefined {
  let level: object[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.nesting) return `nested more than ${LIMITS.nesting} levels deep`;
    if (level.some(value => Object.hasOwn(value, '__proto__'))) return "the key '__proto__' is not allowed";
    level = level.flatMap(value => Object.values(value).filter(entry => typeof entry === 'object' && entry !== null));
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
