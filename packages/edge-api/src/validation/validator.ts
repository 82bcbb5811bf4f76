// Validates bodies and queries against the contract, with every fault at once.

import { z } from 'zod';
import { toStored } from '../contract/conversion.ts';
import type { ErrorNumber, MessageParts } from '../contract/errors.ts';
import { type OperationId, operationOf } from '../contract/operations.ts';
import { type RequestMode, requestFields, shapeOf } from '../contract/shapes.ts';
import type {
  Field,
  FieldType,
  ListType,
  MapType,
  NumberType,
  Shape,
  ShapeRule,
  TextType,
} from '../definition/field.ts';
import {
  kindOfIdentifier,
  type Operation,
  pathParameters,
  RECORD_KINDS,
  type RecordKindName,
} from '../definition/operation.ts';
import { LIMITS, WIRE } from '../definition/wire.ts';
import { expectedOf, type Fault, faultAt, missingParts, nameOf, type Path, quoted, shown } from './faults.ts';
import { FORMATS } from './formats.ts';

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

/** The payload of a custom Zod issue. */
interface IssuePayload {
  readonly code: number;
  readonly parts: MessageParts;
}

type Report = (code: number, parts?: MessageParts, path?: PropertyKey[]) => void;

/** Returns the Zod schema of the body that creates, replaces or updates an object of a shape. */
function schemaOf(name: string, mode: RequestMode): z.ZodType {
  const shape = shapeOf(name);
  const fields = requestFields(shape, mode).map(([key, field]) => [key, fieldSchema(field, mode)] as const);
  const object = z.strictObject(Object.fromEntries(fields));
  const rules = (shape.rules ?? []).map(rule => alwaysChecked(ruleCheck(rule)));
  return rules.length === 0 ? object : object.check(...rules);
}

/** Returns a check that also runs if fields of the object have faults, so that all faults are reported. */
function alwaysChecked(
  run: (value: Record<string, unknown>, report: Report) => void,
): z.core.$ZodCheck<Record<string, unknown>> {
  const check = z.check<Record<string, unknown>>(context => run(context.value, reportTo(context)));
  check._zod.def.when = ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return check;
}

function reportTo<T>(context: z.core.ParsePayload<T>): Report {
  return (code, parts = {}, path = []) => {
    context.issues.push({ code: 'custom', input: context.value, path, params: { code, parts }, continue: true });
  };
}

function fieldSchema(field: Field, mode: RequestMode): z.ZodType {
  const { type, required } = field;
  if (required === undefined || mode === 'update') return typeSchema(type).nullish();
  return type.kind === 'text' ? stringSchema(type, required) : typeSchema(type);
}

/** Returns a string schema in which an empty string counts as missing if the field is required. */
function stringSchema(type: TextType, required?: number): z.ZodType {
  return z.string().check(
    checked<string>((text, report) => {
      const missing = text === '' && required !== undefined ? { code: required, parts: missingParts(type) } : undefined;
      const fault = missing ?? stringFault(type, text);
      if (fault !== undefined) report(fault.code, fault.parts);
    }),
  );
}

function checked<T>(run: (value: T, report: Report) => unknown): z.core.$ZodCheck<T> {
  return z.check<T>(context => {
    run(context.value, reportTo(context));
  });
}

function typeSchema(type: FieldType): z.ZodType {
  switch (type.kind) {
    case 'text':
      return stringSchema(type);
    case 'boolean':
      return z.boolean();
    case 'integer':
    case 'number':
      return z.number().check(checked<number>((value, report) => checkNumber(type, value, report)));
    case 'list':
      return z.array(typeSchema(type.of)).check(listCheck(type));
    case 'map':
      return z
        .record(z.string(), typeSchema(type.of))
        .check(checked<Record<string, unknown>>((value, report) => checkMap(type, value, report)));
    case 'shape':
      return schemaOf(type.request ?? type.name, 'whole');
    case 'json':
      return z.record(z.string(), z.unknown());
  }
}

/** Returns only the first fault of a string, because later checks assume that earlier ones passed. */
function stringFault(type: TextType, text: string): IssuePayload | undefined {
  const { maxBytes, oneOf, formats, reference } = type;
  if (maxBytes !== undefined && Buffer.byteLength(text) > maxBytes.limit) {
    return { code: maxBytes.code, parts: { value: String(Buffer.byteLength(text)), limit: maxBytes.limit } };
  }
  if (oneOf !== undefined && !oneOf.values.includes(oneOf.ignoreCase ? text.toLowerCase() : text)) {
    return { code: oneOf.code, parts: { value: shown(text), expected: quoted(oneOf.values) } };
  }
  const wrong = formats?.find(({ format }) => !FORMATS[format].holds(text));
  if (wrong !== undefined) {
    return { code: wrong.code, parts: { value: shown(text), expected: FORMATS[wrong.format].expected(text) } };
  }
  if (reference !== undefined && !reference.kinds.includes(kindOfIdentifier(text) ?? '')) {
    return { code: reference.malformed, parts: { value: shown(text), expected: nouns(reference.kinds) } };
  }
  return undefined;
}

function checkNumber({ kind, min, max, zeroIsNone }: NumberType, value: number, report: Report): void {
  if (kind === 'integer' && !Number.isInteger(value)) report(215, { value: shown(value), expected: 'a whole number' });
  if (zeroIsNone && value === 0) return;
  const beyond =
    min !== undefined && value < min.limit ? min : max !== undefined && value > max.limit ? max : undefined;
  if (beyond === undefined) return;
  const expected = `${beyond === min ? 'at least' : 'at most'} ${beyond.limit}`;
  report(beyond.code, { value: shown(value), limit: beyond.limit, expected });
}

/** Returns a check of the list's length that also runs if entries have faults. */
function listCheck(type: ListType): z.core.$ZodCheck<unknown[]> {
  const check = checked<unknown[]>((value, report) => checkList(type, value, report));
  check._zod.def.when = ({ value }) => Array.isArray(value);
  return check;
}

function checkList({ min, max, unique }: ListType, value: readonly unknown[], report: Report): void {
  if (min !== undefined && value.length < min.limit)
    report(min.code, { value: String(value.length), limit: min.limit });
  if (max !== undefined && value.length > max.limit)
    report(max.code, { value: String(value.length), limit: max.limit });
  if (unique === undefined) return;
  const seen = new Set<unknown>();
  for (const [index, entry] of value.entries()) {
    const key = unique.ignoreCase && typeof entry === 'string' ? entry.toLowerCase() : entry;
    if (seen.has(key)) report(unique.code, { value: shown(entry), expected: 'different from the others' }, [index]);
    seen.add(key);
  }
}

function checkMap({ keys, max, uniqueKeys }: MapType, value: Readonly<Record<string, unknown>>, report: Report): void {
  const names = Object.keys(value);
  if (max !== undefined && names.length > max.limit)
    report(max.code, { value: String(names.length), limit: max.limit });
  const seen = new Set<string>();
  for (const name of names) {
    const fault = stringFault(keys, name);
    if (fault !== undefined) report(fault.code, fault.parts, [name]);
    if (uniqueKeys !== undefined && seen.has(name.toLowerCase())) report(uniqueKeys, { value: shown(name) }, [name]);
    seen.add(name.toLowerCase());
  }
}

function nouns(kinds: readonly string[]): string {
  return kinds.map(kind => RECORD_KINDS[kind as RecordKindName].noun).join(', ');
}

type Members = Readonly<Record<string, unknown>>;
type ReportFault = (code: number, parts?: MessageParts, path?: PropertyKey[]) => void;

/** Returns the check of a rule over the fields of an object. */
function ruleCheck(rule: ShapeRule): (members: Members, report: ReportFault) => void {
  switch (rule.kind) {
    case 'needs':
      return (members, report) => needs(rule, members, report);
    case 'exactly-one':
      return (members, report) => exactlyOne(rule, members, report);
    case 'at-most-one':
      return (members, report) => {
        const given = rule.of.filter(name => isGiven(members[name]));
        if (given.length > 1) report(rule.code, { value: given.join("', '") }, [given[1]!]);
      };
    case 'required-unless':
      return (members, report) => {
        const other = known(members, rule.other);
        if (other === undefined || holds(rule.values, other) || isGiven(members[rule.field])) return;
        report(rule.code, { expected: shown(members[rule.other]) }, [rule.field]);
      };
    case 'refused-when':
      return (members, report) => {
        if (!isGiven(members[rule.field]) || !holds(rule.values, known(members, rule.other) ?? rule.unlessGiven))
          return;
        const value = shown(members[rule.field]);
        report(rule.code, { value, expected: rule.values.join(', ') }, [rule.field]);
      };
    case 'format-when':
      return (members, report) => {
        const value = members[rule.field];
        if (typeof value !== 'string' || value === '' || !holds(rule.values, known(members, rule.other))) return;
        if (!FORMATS[rule.format].holds(value)) report(rule.code, {}, [rule.field]);
      };
    case 'removal-needs-replacement':
      return (members, report) => removal(rule, members, report);
  }
}

/** Returns true unless the value is null or an empty string or list. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function known(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
}

function holds(values: readonly string[], value: string | undefined): boolean {
  return value !== undefined && values.includes(value);
}

function needs(rule: Extract<ShapeRule, { kind: 'needs' }>, members: Members, report: ReportFault): void {
  if (!isGiven(members[rule.field])) return;
  const missing = rule.needs.filter(name => !isGiven(members[name]));
  if (missing.length > 0) report(rule.code, { expected: missing.join("' and '") }, [rule.field]);
}

function exactlyOne(rule: Extract<ShapeRule, { kind: 'exactly-one' }>, members: Members, report: ReportFault): void {
  const given = rule.of.filter(name => isGiven(members[name]));
  if (given.length === 1) return;
  const expected = quoted(rule.of);
  report(given.length === 0 ? rule.none : rule.many, { value: given.join("', '"), expected });
}

function removal(
  rule: Extract<ShapeRule, { kind: 'removal-needs-replacement' }>,
  members: Members,
  report: ReportFault,
): void {
  const { add, remove } = members;
  if (!Array.isArray(remove)) return;
  const added = new Set(Object.keys((add ?? {}) as object).map(name => name.toLowerCase()));
  for (const [index, name] of remove.entries()) {
    const lower = String(name).toLowerCase();
    if (rule.names.includes(lower) && !added.has(lower)) report(rule.code, { value: lower }, ['remove', index]);
  }
}

/** The result of validating a query: page and filters, or all faults. */
export type QueryValidation =
  | {
      readonly ok: true;
      readonly limit: number;
      readonly beforeId?: string;
      /** A CEL expression over `obj`, which has not been parsed yet. */
      readonly filter?: string;
      readonly filters: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

const { paging } = WIRE;

/** Validates the query parameters of an operation and returns all faults. */
export function validateQuery(id: OperationId, query: URLSearchParams): QueryValidation {
  const operation = operationOf(id);
  const supported = [...(operation.paged ? paging.parameters : []), ...(operation.query ?? [])];
  const faults: Fault[] = [];
  const given = new Map<string, string>();
  for (const [name, value] of query) {
    const known = name === 'beforeId' ? paging.aliases.beforeId : name;
    if (!supported.includes(known))
      faults.push(faultAt([name], 231, { value: shown(name), expected: quoted(supported) || 'none' }));
    else if (given.has(known)) faults.push(faultAt([name], 232, { value: shown(name) }));
    else given.set(known, value);
  }
  faults.push(...limitFaults(given.get('limit')), ...beforeFaults(given.get('before_id')));
  const [first, ...rest] = faults;
  if (first !== undefined) return { ok: false, faults: [first, ...rest] };
  const beforeId = given.get('before_id');
  const filter = given.get('filter');
  const filters = Object.fromEntries([...given].filter(([name]) => operation.query?.includes(name)));
  return {
    ok: true,
    limit: Number(given.get('limit') || paging.defaultLimit),
    ...(beforeId ? { beforeId } : {}),
    ...(filter ? { filter } : {}),
    filters,
  };
}

/** Empty parameters count as not given, because some clients send them. */
function limitFaults(limit: string | undefined): readonly Fault[] {
  if (limit === undefined || limit === '') return [];
  if (!/^[+-]?\d+$/.test(limit)) return [faultAt(['limit'], 244, { value: shown(limit) })];
  const inRange = Number(limit) >= paging.minLimit && Number(limit) <= paging.maxLimit;
  return inRange ? [] : [faultAt(['limit'], 233, { value: shown(limit), limit: paging.maxLimit })];
}

function beforeFaults(id: string | undefined): readonly Fault[] {
  if (id === undefined || id === '' || kindOfIdentifier(id) !== undefined) return [];
  return [faultAt(['before_id'], 227, { value: shown(id), expected: 'a record' })];
}

interface Context {
  /** The name of the body's shape. */
  readonly name: string;
  readonly mode: RequestMode;
  readonly body: unknown;
  /** The path of the content in the body as sent. */
  readonly prefix: Path;
}

/** Converts Zod issues to faults: first unknown fields, as part B 2.5 requires, then the others in order. */
function faultsOf(issues: readonly z.core.$ZodIssue[], context: Context): readonly Fault[] {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys');
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  return [...unknown, ...others].flatMap(issue => faultsOfIssue(issue, context));
}

function faultsOfIssue(issue: z.core.$ZodIssue, context: Context): readonly Fault[] {
  const at = [...context.prefix, ...issue.path];
  const node = nodeAt(issue.path, context);
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownField(key, at, node));
  if (issue.code === 'custom') {
    const { code, parts } = issue.params as IssuePayload;
    return [faultAt(at, code as ErrorNumber, node.secret ? { ...parts, ...MASKED } : parts)];
  }
  const value = issue.path.reduce<unknown>((from, key) => memberOf(from, key), context.body);
  if ((value === undefined || value === null) && node.field?.required !== undefined) {
    return [faultAt(at, node.field.required as ErrorNumber, missingParts(node.type))];
  }
  const found = node.secret ? nameOf(value) : shown(typeof value === 'string' ? JSON.stringify(value) : value);
  return [faultAt(at, 215, { value: found, expected: expectedOf(node.type) })];
}

/** Messages never contain secrets. */
const MASKED = { value: '…' } as const;

function unknownField(key: string, at: Path, { shape, mode }: SchemaNode): Fault {
  const { refused = {} } = shape ?? {};
  const code = Object.hasOwn(refused, key) ? refused[key] : 214;
  const names = shape === undefined ? [] : requestFields(shape, mode).map(([name]) => name);
  return faultAt([...at, key], code as ErrorNumber, { value: shown(key), expected: quoted(names) || 'none' });
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
    : undefined;
}

/** What the contract defines at a path. */
interface SchemaNode {
  readonly type: FieldType | undefined;
  /** The field, if the path ends at one rather than inside its list or map. */
  readonly field?: Field | undefined;
  readonly shape?: Shape;
  readonly mode: RequestMode;
  readonly secret?: boolean;
}

function nodeAt(path: Path, { name, mode }: Context): SchemaNode {
  let node: SchemaNode = { type: { kind: 'shape', name }, shape: shapeOf(name), mode };
  for (const key of path) node = childOf(node, key);
  return node;
}

function childOf({ type, shape, secret = false }: SchemaNode, key: PropertyKey): SchemaNode {
  const field = shape !== undefined && Object.hasOwn(shape.fields, key) ? shape.fields[String(key)] : undefined;
  const next = shape !== undefined ? field?.type : type?.kind === 'list' || type?.kind === 'map' ? type.of : undefined;
  const hidden = secret || field?.secret !== undefined;
  const inner = next?.kind === 'shape' ? { shape: shapeOf(next.request ?? next.name) } : {};
  return { type: next, field, mode: 'whole', secret: hidden, ...inner };
}
