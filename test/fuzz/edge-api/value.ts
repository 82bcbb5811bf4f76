import type { Chance } from './chance.ts';

/** The part of a JSON Schema that values are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** What values are made with: the schemas by their names, and identifiers of records that exist. */
export interface Materials {
  readonly chance: Chance;
  readonly schemas: Readonly<Record<string, Schema>>;
  /** An identifier that a pattern of the description has. */
  readonly identifier: (pattern: string) => string;
}

/** A value that a schema has, or nearly: texts are of the forms that fields ask for more often than chance would have it. */
export function valueFor(schema: Schema, materials: Materials): unknown {
  const { chance, schemas } = materials;
  if (schema.$ref !== undefined) return valueFor(schemas[schema.$ref.split('/').at(-1)!]!, materials);
  if (schema.anyOf !== undefined) return valueFor(chance.one(schema.anyOf), materials);
  if (schema.enum !== undefined) return chance.one(schema.enum);
  switch (typeof schema.type === 'string' ? schema.type : chance.is(0.1) ? 'null' : schema.type?.[0]) {
    case 'string':
      return textOf(schema, materials);
    case 'boolean':
      return chance.is(0.5);
    case 'integer':
    case 'number':
      return numberOf(schema, chance);
    case 'array':
      return Array.from({ length: chance.below(4) }, () => valueFor(schema.items ?? {}, materials));
    case 'object':
      return objectOf(schema, materials);
    default:
      return null;
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema, materials: Materials): object {
  const { chance } = materials;
  if (properties === undefined) return mapOf(additionalProperties, materials);
  const keys = Object.keys(properties).filter(key => required.includes(key) || chance.is(0.3));
  return Object.fromEntries(keys.map(key => [key, valueFor(properties[key]!, materials)]));
}

function mapOf(values: Schema | boolean | undefined, materials: Materials): object {
  const { chance } = materials;
  const of = typeof values === 'object' ? values : { type: chance.one(['string', 'integer', 'array', 'object']) };
  const keys = Array.from({ length: chance.below(3) }, () =>
    chance.is(0.3) ? materials.identifier('bkd') : chance.one(KEYS),
  );
  return Object.fromEntries(keys.map(key => [key, valueFor(of, materials)]));
}

const KEYS = [
  'x-a',
  'X-A',
  'host',
  'status_code',
  'metadata',
  'content',
  'headers',
  'from',
  'to',
  'a b',
  '',
  '__proto__',
];

function numberOf({ minimum = -1, maximum = 100 }: Schema, chance: Chance): number {
  return chance.one([minimum, maximum, 0, 1, 10, minimum + chance.below(100), 0.5]);
}

const TEXTS = [
  'a.example.com:443',
  'shop.example.com',
  '/api',
  'https://idp.example.com',
  '10.0.0.0/8',
  '192.0.2.1/32',
  '2001:db8::/32',
  'json',
  'ip_policy_created.v0',
  'https_edge_updated.v0',
  'user@example.com',
  'example.com',
  'org/team',
  'deny',
  'log',
  'custom-response',
  'url-rewrite',
  "req.Method == 'GET'",
  "conn.ClientIP == '192.0.2.1'",
  'req.',
  'github',
  'sns',
  '1.2',
  'svc.',
  'a secret',
  '',
  '<EntityDescriptor></EntityDescriptor>',
  'arn:aws:iam::123456789012:role/a',
  'inbound: []',
  '{"inbound":[]}',
  'on_http_request: []',
  'é€🧀',
  '\u0000',
  '\ud800',
  "'; drop table records; --",
  '${req.url}',
  '../../etc/passwd',
  '-----BEGIN CERTIFICATE-----',
] as const;

function textOf({ pattern, maxLength }: Schema, materials: Materials): string {
  const { chance } = materials;
  if (pattern !== undefined) return materials.identifier(pattern);
  if (maxLength !== undefined && chance.is(0.05)) return 'x'.repeat(Math.min(maxLength + chance.below(2), 100_000));
  return chance.is(0.2) ? `${chance.one(TEXTS)}${chance.below(100_000)}` : unique(chance.one(TEXTS), chance);
}

/** Hostports, domains and ranges that other records do not have yet, mostly. */
function unique(text: string, chance: Chance): string {
  if (text.startsWith('10.')) return `10.${chance.below(256)}.${chance.below(256)}.0/24`;
  return text.replace(/^(a|shop)\./, `h${chance.below(1_000_000)}.`);
}

const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'x',
  'é'.repeat(5000),
  [],
  {},
  [null],
  [[[]]],
  { a: { b: {} } },
  [1, 'x', {}],
  { __proto__: 1 },
];

/** A value with something in it broken: a part replaced, taken away or added. */
export function broken(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || chance.is(0.15)) return chance.one(JUNK);
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.is(0.2)) return [...value, chance.one(JUNK)];
    const at = chance.below(value.length);
    return value.with(at, broken(value[at], chance));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || chance.is(0.2))
    return { ...value, [chance.one(['surprise', 'id', 'module', ...KEYS])]: chance.one(JUNK) };
  const at = chance.below(entries.length);
  if (chance.is(0.2)) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries(entries.map(([key, entry], index) => [key, index === at ? broken(entry, chance) : entry]));
}
