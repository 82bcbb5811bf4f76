import { WEBHOOK_PROVIDERS } from '@tollgate/catalog';
import { describe, expect, it } from 'vitest';
import type { Field, FieldType, Shape } from '../definition/field.ts';
import { kindOfIdentifier, pathOfIdentifier, RECORD_KINDS } from '../definition/operation.ts';
import { ERRORS } from './errors.ts';
import { EVENT_TYPES, eventTypeOf } from './event-shapes.ts';
import { OPERATION_IDS, operationOf, PART_A_OPERATIONS } from './operations.ts';
import { KEPT_WHILE_REFERRED_TO, SERVER_RULES } from './server-rules.ts';
import { type AnswerOf, type BodyOf, type ResultOf, SHAPES } from './shapes.ts';

const shapes = Object.entries(SHAPES) as [string, Shape][];
const fields = shapes.flatMap(([name, shape]) =>
  Object.entries(shape.fields).map(([key, field]): [string, Field] => [`${name}.${key}`, field]),
);

function typesIn(type: FieldType): readonly FieldType[] {
  if (type.kind === 'list') return [type, ...typesIn(type.of)];
  return type.kind === 'map' ? [type, type.keys, ...typesIn(type.of)] : [type];
}

const types = fields.flatMap(([at, field]) => typesIn(field.type).map(type => [at, type] as const));

/** Returns every error number in the contract data. */
function codesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    typeof entry === 'number' &&
    ['code', 'required', 'none', 'many', 'malformed', 'missing', 'uniqueKeys'].includes(key)
      ? [entry]
      : key === 'refused'
        ? Object.values(entry as Record<string, number>)
        : codesIn(entry),
  );
}

describe('the contract', () => {
  it('has the 22 operations of part A, the 170 of the family, and the nine `traffic_policy` operations', () => {
    const later = OPERATION_IDS.filter(id => operationOf(id).path.endsWith('/traffic_policy'));
    expect([PART_A_OPERATIONS.length, OPERATION_IDS.length - later.length, later.length]).toEqual([22, 170, 9]);
  });

  it('has each combination of verb and path once', () => {
    const routes = OPERATION_IDS.map(id => `${operationOf(id).verb} ${operationOf(id).path}`);
    expect(routes.length).toBe(new Set(routes).size);
  });

  it('refers only to shapes that exist', () => {
    const named = types.flatMap(([at, type]) =>
      type.kind === 'shape' ? [type.name, type.request ?? type.name].map(name => `${at} ${name}`) : [],
    );
    const used = OPERATION_IDS.flatMap(id =>
      [operationOf(id).request, operationOf(id).answer].map(name => `${id} ${name}`),
    );
    expect([...named, ...used].filter(entry => !/ null$/.test(entry) && !(entry.split(' ')[1]! in SHAPES))).toEqual([]);
  });

  it('uses every shape', () => {
    const used = new Set([
      ...types.flatMap(([, type]) => (type.kind === 'shape' ? [type.name, type.request] : [])),
      ...OPERATION_IDS.flatMap(id => [operationOf(id).request, operationOf(id).answer]),
    ]);
    expect(Object.keys(SHAPES).filter(name => !used.has(name))).toEqual([]);
  });

  it('refers only to errors that exist', () => {
    const codes = [...codesIn(SHAPES), ...codesIn(SERVER_RULES), ...Object.values(KEPT_WHILE_REFERRED_TO)];
    expect(codes.filter(code => !(code in ERRORS))).toEqual([]);
  });

  it('refers only to record kinds that exist, each with its own prefix', () => {
    const kinds = types.flatMap(([, type]) => (type.kind === 'text' ? (type.reference?.kinds ?? []) : []));
    expect(kinds.filter(kind => !(kind in RECORD_KINDS))).toEqual([]);
    const prefixes = Object.values(RECORD_KINDS).map(({ prefix }) => prefix);
    expect(prefixes.length).toBe(new Set(prefixes).size);
  });

  it('builds references from request fields', () => {
    const wrong = shapes.flatMap(([name, shape]) =>
      Object.values<Field>(shape.fields)
        .filter(({ from }) => from !== undefined && shape.fields[from]?.use !== 'request')
        .map(({ from }) => `${name}.${from}`),
    );
    expect(wrong).toEqual([]);
  });

  it('defines the stored value of every optional request field', () => {
    const silent = fields.filter(
      ([, field]) =>
        field.use === undefined && field.required === undefined && field.default === undefined && !field.nullable,
    );
    expect(silent.map(([at]) => at)).toEqual([]);
  });

  it('has rules only on fields of their own shape', () => {
    const wrong = shapes.flatMap(([name, { fields: own, rules }]) =>
      (rules ?? [])
        .flatMap(rule => ('field' in rule ? [rule.field] : rule.kind === 'exactly-one' ? rule.of : []))
        .filter(field => !(field in own))
        .map(field => `${name}.${field}`),
    );
    expect(wrong).toEqual([]);
  });

  it('emits only event types that can be subscribed to', () => {
    const emitted = OPERATION_IDS.flatMap(id => eventTypeOf(operationOf(id)) ?? []);
    expect(emitted.filter(type => !EVENT_TYPES.includes(type))).toEqual([]);
  });

  it('has the 67 documented webhook providers and the two added later', () => {
    expect([WEBHOOK_PROVIDERS.length, new Set(WEBHOOK_PROVIDERS).size]).toEqual([69, 69]);
  });
});

describe('identifiers', () => {
  it('have a prefix that identifies the kind, and 27 more characters', () => {
    const ksuid = '2cSjwFetnYBX2V3aBcDeFgHiJkL';
    expect(kindOfIdentifier(`edghtsrt_${ksuid}`)).toBe('https_edge_route');
    expect(kindOfIdentifier(`edghts_${ksuid}`)).toBe('https_edge');
    expect(kindOfIdentifier(`edghts_${ksuid}x`)).toBeUndefined();
    expect(kindOfIdentifier(`nope_${ksuid}`)).toBeUndefined();
    expect(pathOfIdentifier(`ipp_${ksuid}`)).toBe(`/ip_policies/ipp_${ksuid}`);
    expect(pathOfIdentifier(`edghtsrt_${ksuid}`)).toBeUndefined();
  });
});

describe('wire types', () => {
  it('are derived from the contract', () => {
    const policy: AnswerOf<'EndpointPolicy'> = { enabled: true, inbound: null, outbound: null };
    const body: BodyOf<'EdgesHttpsCreate'> = {
      hostports: ['a.example:443'],
      mutual_tls: { certificate_authority_ids: [] },
    };
    const update: BodyOf<'EdgesHttpsRoutesUpdate'> = { match_type: 'exact_path' };
    // @ts-expect-error a module of an HTTPS edge does not take `terminate_at`
    const wrong: BodyOf<'EdgesHttpsCreate'> = { tls_termination: { terminate_at: 'edge' } };
    // @ts-expect-error a route cannot be created without a match
    const less: BodyOf<'EdgesHttpsRoutesCreate'> = { match_type: 'exact_path' };
    const page: Pick<ResultOf<'ApiKeysList'>, 'keys'> = { keys: [] };
    const nothing: ResultOf<'ApiKeysDelete'> = null;
    expect([policy, body, update, wrong, less, page, nothing]).toHaveLength(7);
  });
});
