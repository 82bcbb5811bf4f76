import type { z } from 'zod';
import { type OperationId, operationOf } from '../contract/operations.ts';
import { type RequestMode, shapeOf } from '../contract/shape-of.ts';
import { toStored } from '../conversion/to-stored.ts';
import { pathParameters } from '../definition/identifiers.ts';
import { LIMITS } from '../definition/limits.ts';
import type { Operation } from '../definition/operation.ts';
import { nameOf } from './expected.ts';
import { type Fault, faultAt, shown } from './fault.ts';
import { faultsOf } from './issues.ts';
import { schemaOf } from './schema-of.ts';

/** The result of validating a body: the body in stored form, or all faults. */
export type Validation =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

/** Validates request bodies. */
export interface Validator {
  /**
   * Validates a parsed body against every constraint that needs no other record. Returns a valid body with defaults (an update: only the
   * given fields, without nulls) and header names in lower case; otherwise all faults, unknown fields first.
   *
   * Accepts the habits of clients: path parameters repeated in the body, a module wrapped in `module`, null for *not given*, and in updates of
   * some fields also an empty string, list or map.
   */
  readonly body: (id: OperationId, body: unknown, path?: Readonly<Record<string, string>>) => Validation;
}

/** Creates a validator, which builds the schema of an operation on first use. */
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
      const hazard = hazardOf(body);
      if (hazard !== undefined) return failed([faultAt([], 213, { value: hazard })]);
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
  const { wrapped, content } = unwrapped(operation, mode === 'update' ? withoutEmpty(operation.request!, rest) : rest);
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
  return all.length > 0 ? failed(all) : { ok: true, value: toStored(operation.request!, mode, content) };
}

function failed(faults: readonly Fault[]): Validation {
  const [first, ...others] = faults;
  return { ok: false, faults: [first!, ...others] };
}

function modeOf({ kind }: Operation): RequestMode {
  return kind === 'update' ? 'update' : 'whole';
}

/** Clients may repeat path parameters in the body (part B 8.1); the values must match. */
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

/** Removes the empty strings, lists and maps with which some clients send what their caller does not give (part B 8.4). */
function withoutEmpty(name: string, body: Readonly<Record<string, unknown>>) {
  const { fields } = shapeOf(name);
  const isAbsent = (key: string, value: unknown) =>
    Object.hasOwn(fields, key) && fields[key]?.emptyIsAbsent === true && (value === '' || isEmpty(value));
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => !isAbsent(key, value)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Unwraps a module, which the TypeScript client wraps (part B 8.2). */
function unwrapped({ kind }: Operation, body: Readonly<Record<string, unknown>>) {
  const { module } = body;
  const wrapped = kind === 'replace-module' && Object.keys(body).length === 1 && isObject(module);
  return wrapped ? { wrapped, content: module } : { wrapped: false, content: body };
}

/**
 * Returns why a body is unsafe to process: deep nesting could overflow recursive functions, and a key `__proto__` is lost or harmful when an
 * object is copied.
 */
function hazardOf(body: object): string | undefined {
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
