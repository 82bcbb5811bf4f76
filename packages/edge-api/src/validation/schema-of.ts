import { z } from 'zod';
import type { MessageParts } from '../contract/errors.ts';
import { type RequestMode, requestFields, shapeOf } from '../contract/shape-of.ts';
import type { Field, FieldType, ListType, MapType, NumberType, TextType } from '../definition/field.ts';
import { kindOfIdentifier } from '../definition/identifiers.ts';
import { RECORD_KINDS, type RecordKindName } from '../definition/record-kinds.ts';
import { missingParts, quoted } from './expected.ts';
import { shown } from './fault.ts';
import { FORMATS } from './formats.ts';
import { ruleCheck } from './rules.ts';

/** The payload of a custom Zod issue. */
export interface IssuePayload {
  readonly code: number;
  readonly parts: MessageParts;
}

type Report = (code: number, parts?: MessageParts, path?: PropertyKey[]) => void;

/** Returns the Zod schema of the body that creates, replaces or updates an object of a shape. */
export function schemaOf(name: string, mode: RequestMode): z.ZodType {
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
