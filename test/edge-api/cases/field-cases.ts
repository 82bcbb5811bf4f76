import {
  type Field,
  type FieldType,
  OPERATION_IDS,
  operationOf,
  type RecordKindName,
  requestFields,
  shapeOf,
} from '@tollgate/edge-api';
import { type Accepted, at, type BodyCase, withValue } from '../body-case.ts';
import type { BodyLocation } from '../body-locations.ts';
import { LACKING, ofBytes, ofWrongType, sample, unknownId } from '../samples.ts';

type TextType = Extract<FieldType, { kind: 'text' }>;
type NumberType = Extract<FieldType, { kind: 'integer' | 'number' }>;
type ListType = Extract<FieldType, { kind: 'list' }>;
type MapType = Extract<FieldType, { kind: 'map' }>;

/** A field, its location, and how to make a claim about one of its values. */
interface Subject {
  readonly field: Field;
  readonly path: readonly (string | number)[];
  readonly refuse: (claim: string, value: unknown, number: number, inside?: readonly (string | number)[]) => BodyCase;
  readonly accept: (claim: string, value: unknown, answered?: unknown) => BodyCase;
}

/** Returns every claim of the contract about the fields of one shape. */
export function fieldCases(location: BodyLocation): readonly BodyCase[] {
  const shape = shapeOf(location.shape);
  const sent = requestFields(shape, 'whole');
  return [...sent.flatMap(([key, field]) => casesOf(location, key, field)), ...foreignCases(location)];
}

function casesOf(location: BodyLocation, key: string, field: Field): readonly BodyCase[] {
  const subject = subjectOf(location, key, field);
  return [
    subject.refuse('refuses a value of another type', ofWrongType(field), 215),
    ...presenceCases(subject),
    ...typeCases(subject),
    ...immutableCases(location, key, field),
  ];
}

function subjectOf(location: BodyLocation, key: string, field: Field): Subject {
  const row = `${location.shape}.${key}`;
  const path = [...location.path, key];
  const make = (claim: string, value: unknown, expected: BodyCase['expected']): BodyCase => ({
    name: `${row} ${claim}`,
    row,
    operation: location.operation,
    body: withValue(bodyFor(location, key, field, value ?? null), path, value),
    expected,
  });
  return {
    field,
    path,
    refuse: (claim, value, number, inside = []) =>
      make(`${claim} with ${number}`, value, { ok: false, number, field: at([...path, ...inside]) }),
    accept: (claim, value, answered) => make(claim, value, accepted(field, path, answered)),
  };
}

/** Fields that others depend on are tested in a body without the dependent ones. */
function bodyFor({ shape, body, path }: BodyLocation, key: string, field: Field, value: unknown): unknown {
  // The other one would set it too.
  const choice = shapeOf(shape).rules?.find(rule => rule.kind === 'at-most-one' && rule.of.includes(key));
  if (choice?.kind === 'at-most-one') {
    return choice.of.reduce<unknown>((rest, name) => withValue(rest, [...path, name], undefined), body);
  }
  if (shape === 'EndpointWebhookValidation' && key === 'provider') return withValue(body, ['secret'], 'x');
  if (shape === 'EndpointWebhookValidation' && key === 'secret' && value === null)
    return withValue(body, ['provider'], 'sns');
  if (shape === 'EndpointTLSTermination' && key === 'terminate_at') return withValue(body, ['min_version'], undefined);
  if (key in PARTNER && path[0] === 'provider' && value === null)
    return withValue(body, [...path, PARTNER[key]!], undefined);
  if (shape === 'EndpointOAuthProvider' || shape === 'EventTarget' || shape === 'AWSAuth') {
    return withValue(body, path, field.nullable ? onlyOther(shape, key) : {});
  }
  return body;
}

/** Other required members of an OAuth application. */
const PARTNER: Readonly<Record<string, string>> = { client_id: 'client_secret', client_secret: 'client_id' };

/** Makes a choice, unless it is the one under test. */
function onlyOther(shape: string, key: string): unknown {
  if (shape === 'AWSAuth') return key === 'role' ? { creds: CREDENTIALS } : { role: ROLE };
  if (shape === 'EventTarget') return key === 'stdout' ? { file: { path: 'events.jsonl' } } : { stdout: {} };
  return key === 'google' ? { github: {} } : { google: {} };
}

const ROLE = { role_arn: 'arn:aws:iam::123456789012:role/events' };
const CREDENTIALS = { aws_access_key_id: 'id', aws_secret_access_key: 'key' };

function accepted(field: Field, path: readonly (string | number)[], answered: unknown): Accepted {
  const hidden = field.use === 'request' || field.secret === 'write-only' || answered === undefined;
  return hidden ? { ok: true } : { ok: true, answered: { [at(path)]: answered } };
}

function presenceCases({ field, accept, refuse }: Subject): readonly BodyCase[] {
  const { required, default: initial, nullable, type } = field;
  if (required !== undefined) {
    const missing = [
      refuse('must be given, or it is refused', undefined, required),
      refuse('may not be null, or it is refused', null, required),
    ];
    return type.kind === 'text' ? [...missing, refuse('may not be empty, or it is refused', '', required)] : missing;
  }
  const kept = initial ?? (nullable ? null : undefined);
  return [
    accept(`is ${JSON.stringify(kept)} when it is not given`, undefined, kept),
    accept('takes null for not given', null, kept),
  ];
}

function typeCases(subject: Subject): readonly BodyCase[] {
  const { type } = subject.field;
  switch (type.kind) {
    case 'text':
      return textCases(subject, type);
    case 'boolean':
      return [subject.accept('takes true', true, true), subject.accept('takes false', false, false)];
    case 'integer':
    case 'number':
      return numberCases(subject, type);
    case 'list':
      return listCases(subject, type);
    case 'map':
      return mapCases(subject, type);
    case 'shape':
      return [];
    case 'json':
      return [subject.accept('keeps free JSON as sent', { status_code: 404 }, { status_code: 404 })];
  }
}

function textCases({ field, path, refuse, accept }: Subject, type: TextType): readonly BodyCase[] {
  const { maxBytes, oneOf, formats, reference } = type;
  // A policy is a string that the server parses, so not every string of the right length is valid.
  const isPolicy = path.at(-1) === 'value' || path.at(-1) === 'traffic_policy';
  const free = oneOf === undefined && formats === undefined && reference === undefined && !isPolicy;
  return [
    ...(maxBytes
      ? [refuse(`refuses more than ${maxBytes.limit} bytes`, ofBytes(maxBytes.limit + 1), maxBytes.code)]
      : []),
    ...(maxBytes && free
      ? [accept(`takes ${maxBytes.limit} bytes`, ofBytes(maxBytes.limit), ofBytes(maxBytes.limit))]
      : []),
    ...(oneOf ? [refuse('refuses a value that is not one of its own', 'nonsense', oneOf.code)] : []),
    ...(oneOf && oneOf.values.length < 10 ? oneOf.values.map(value => accept(`takes ${value}`, value, value)) : []),
    ...(oneOf?.ignoreCase
      ? [
          accept(
            'takes a value in any case, and answers it as sent',
            oneOf.values[0]!.toUpperCase(),
            oneOf.values[0]!.toUpperCase(),
          ),
        ]
      : []),
    ...(formats ?? [])
      .filter(({ format }) => !(format === 'not-empty' && field.required !== undefined))
      .map(({ format, code }) => refuse(`refuses what is not of the form ${format}`, LACKING[format], code)),
    ...(reference ? referenceCases({ field, refuse, accept } as Subject, reference) : []),
  ];
}

function referenceCases(
  { refuse }: Subject,
  { kinds, malformed, missing }: NonNullable<TextType['reference']>,
  inside: readonly (string | number)[] = [],
  wrap: (id: string) => unknown = id => id,
): readonly BodyCase[] {
  return [
    refuse('refuses a reference that is not an identifier', wrap('nope'), malformed, inside),
    refuse('refuses a reference to another kind of record', wrap(unknownId('account')), malformed, inside),
    {
      ...refuse(
        'refuses a reference to what does not exist',
        wrap(unknownId(kinds[0] as RecordKindName)),
        missing,
        inside,
      ),
      needsStore: true,
    },
  ];
}

function numberCases({ refuse, accept }: Subject, { kind, min, max, zeroIsNone }: NumberType): readonly BodyCase[] {
  const step = kind === 'integer' ? 1 : 0.001;
  return [
    ...(kind === 'integer' ? [refuse('refuses a fraction', (min?.limit ?? 0) + 1.5, 215)] : []),
    ...(min
      ? [
          refuse(`refuses less than ${min.limit}`, min.limit - step, min.code),
          accept(`takes ${min.limit}`, min.limit, min.limit),
        ]
      : []),
    ...(max
      ? [
          refuse(`refuses more than ${max.limit}`, max.limit + step, max.code),
          accept(`takes ${max.limit}`, max.limit, max.limit),
        ]
      : []),
    ...(zeroIsNone ? [accept('takes 0 for none', 0, 0)] : []),
  ];
}

function listCases(subject: Subject, type: ListType): readonly BodyCase[] {
  const { min, max, unique, of } = type;
  const { refuse, accept } = subject;
  const many = (count: number) => Array.from({ length: count }, (_, index) => sample(of, index));
  const storable = !(of.kind === 'text' && of.reference !== undefined) && !(of.kind === 'shape');
  const answered = of.kind === 'text' && of.lowerCased ? undefined : max && many(max.limit);
  return [
    ...(min ? [refuse(`refuses fewer than ${min.limit}`, many(min.limit - 1), min.code)] : []),
    ...(max ? [refuse(`refuses more than ${max.limit}`, many(max.limit + 1), max.code)] : []),
    ...(max && storable && of.kind !== 'text' ? [accept(`takes ${max.limit}`, many(max.limit), answered)] : []),
    ...(max && storable && of.kind === 'text' && of.oneOf === undefined
      ? [accept(`takes ${max.limit}`, many(max.limit), answered)]
      : []),
    ...(unique ? [refuse('refuses an entry twice', [sample(of), sample(of)], unique.code, [1])] : []),
    refuse('refuses an entry of another type', [of.kind === 'text' ? 17 : 'wrong'], 215, [0]),
    ...(of.kind === 'text' ? entryCases(subject, of, [0], value => [value]) : []),
  ];
}

function mapCases(subject: Subject, { keys, of, max, uniqueKeys }: MapType): readonly BodyCase[] {
  const { refuse } = subject;
  const many = (count: number) =>
    Object.fromEntries(
      Array.from(
        { length: count },
        (_, index) => Object.entries(sample({ kind: 'map', keys, of }, index) as object)[0]!,
      ),
    );
  const value = sample(of);
  const [key] = Object.keys(many(1)) as [string];
  return [
    ...(max ? [refuse(`refuses more than ${max.limit}`, many(max.limit + 1), max.code)] : []),
    ...(uniqueKeys
      ? [refuse('refuses a name twice in different case', { 'x-a': value, 'X-A': value }, uniqueKeys, ['X-A'])]
      : []),
    refuse('refuses an entry of another type', { [key]: [] }, 215, [key]),
    ...(keys.maxBytes
      ? [
          refuse(
            `refuses a name of more than ${keys.maxBytes.limit} bytes`,
            { [ofBytes(keys.maxBytes.limit + 1)]: value },
            keys.maxBytes.code,
            [ofBytes(keys.maxBytes.limit + 1)],
          ),
        ]
      : []),
    ...(keys.formats ?? []).map(({ format, code }) =>
      refuse(`refuses a name that is not of the form ${format}`, { [LACKING[format]]: value }, code, [LACKING[format]]),
    ),
    ...(keys.reference
      ? [refuse('refuses a name that is not an identifier', { nope: value }, keys.reference.malformed, ['nope'])]
      : []),
    ...(of.kind === 'text' ? entryCases(subject, of, [key], entry => ({ [key]: entry })) : []),
    ...(of.kind === 'integer' && of.max
      ? [refuse(`refuses an entry over ${of.max.limit}`, { [key]: of.max.limit + 1 }, of.max.code, [key])]
      : []),
    ...(of.kind === 'integer' && of.min
      ? [refuse(`refuses an entry below ${of.min.limit}`, { [key]: of.min.limit - 1 }, of.min.code, [key])]
      : []),
  ];
}

/** Returns the claims about the strings in a list or map. */
function entryCases(
  subject: Subject,
  { maxBytes, formats, reference, oneOf }: TextType,
  inside: readonly (string | number)[],
  wrap: (value: string) => unknown,
): readonly BodyCase[] {
  const { refuse } = subject;
  return [
    ...(maxBytes
      ? [
          refuse(
            `refuses an entry of more than ${maxBytes.limit} bytes`,
            wrap(ofBytes(maxBytes.limit + 1)),
            maxBytes.code,
            inside,
          ),
        ]
      : []),
    ...(oneOf ? [refuse('refuses an entry that is not one of its own', wrap('nonsense'), oneOf.code, inside)] : []),
    ...(formats ?? []).map(({ format, code }) =>
      refuse(`refuses an entry that is not of the form ${format}`, wrap(LACKING[format]), code, inside),
    ),
    ...(reference ? referenceCases(subject, reference, inside, wrap) : []),
  ];
}

function immutableCases({ shape, path }: BodyLocation, key: string, { immutable, type }: Field): readonly BodyCase[] {
  const update = OPERATION_IDS.find(id => operationOf(id).kind === 'update' && operationOf(id).request === shape);
  if (!immutable || update === undefined || path.length > 0) return [];
  const row = `${shape}.${key}`;
  const expected = { ok: false, number: 214, field: key } as const;
  return [
    {
      name: `${row} cannot be updated, and is refused with 214`,
      row,
      operation: update,
      body: { [key]: sample(type) },
      expected,
    },
  ];
}

/** Fields that the service assigns, and unknown fields, are rejected in requests. */
function foreignCases({ shape, operation, body, path }: BodyLocation): readonly BodyCase[] {
  const { fields, refused = {} } = shapeOf(shape);
  const inPath = new Set([...operationOf(operation).path.matchAll(/\{(\w+)\}/g)].map(match => match[1]));
  const made = Object.keys(fields).filter(
    key => fields[key]?.use === 'answer' && !inPath.has(key) && !(key in refused),
  );
  const make = (key: string, claim: string, number: number): BodyCase => ({
    name: `${shape}.${key} ${claim} with ${number}`,
    row: key in fields ? `${shape}.${key}` : shape,
    operation,
    body: withValue(body, [...path, key], 'x'),
    expected: { ok: false, number, field: at([...path, key]) },
  });
  return [
    ...made.map(key => make(key, 'is made by the service, and refused in requests', 214)),
    ...Object.entries(refused).map(([key, number]) => make(key, 'is refused', number)),
    make('surprise', 'is unknown, and refused', 214),
  ];
}
