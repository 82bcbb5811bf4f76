import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type EvaluationContext,
  isAvailable,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import fc from 'fast-check';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Policies of the right shape; the samples below determine their expressions and strings. */
export function policies(profile: Profile, endpoint: EvaluationContext['endpoint']): fc.Arbitrary<Json> {
  const phases = phasesAt(profile, endpoint).map(phase => [phase, rules(profile, { endpoint, phase })] as const);
  const enabled = profile.documentKeys.includes('enabled') ? [['enabled', orNull(fc.boolean())] as const] : [];
  const bare = fc.record(Object.fromEntries([...enabled, ...phases]), { requiredKeys: [] }) as fc.Arbitrary<Json>;
  return fc.oneof(
    { weight: 4, arbitrary: bare },
    fc.record({ policy: bare }),
    fc.record({ module: bare, id: fc.constant('r_1') }),
  );
}

function rules(profile: Profile, place: EvaluationContext): fc.Arbitrary<Json> {
  const actions = profile.actions.filter(fact => isAvailable(fact, place)).map(actionOf(place));
  const rule = fc.record(
    {
      name: orNull(fc.constant('a rule')),
      expressions: orNull(fc.array(fc.constant('true'), { maxLength: 2 })),
      actions: fc.array(fc.oneof(...actions), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['actions'] },
  );
  return orNull(fc.array(rule, { maxLength: 2 }));
}

function actionOf({ endpoint, phase }: EvaluationContext): (fact: ActionFact) => fc.Arbitrary<Json> {
  return fact => {
    const fields = fact.config.filter(
      field => (field.endpoints?.includes(endpoint) ?? true) && (field.phases?.includes(phase) ?? true),
    );
    const config = fieldsOf(fields);
    const isNeeded = fields.some(field => field.required);
    return fc.record(
      { type: fc.constant(fact.type), config: isNeeded ? config : orNull(config) },
      { requiredKeys: isNeeded ? ['type', 'config'] : ['type'] },
    );
  };
}

/** Maps of the right shape with these keys. */
export function fieldsOf(fields: readonly ConfigField[]): fc.Arbitrary<Json> {
  const values = fields.map(
    field => [field.name, field.required ? configValue(field.type) : orNull(configValue(field.type))] as const,
  );
  const requiredKeys = fields.filter(field => field.required).map(field => field.name);
  return fc.record(Object.fromEntries(values), { requiredKeys }).map(config => related(config, fields));
}

/** Removes keys without the key that they require, and bounds whose minimum exceeds the maximum. */
function related(config: { readonly [key: string]: Json }, fields: readonly ConfigField[]): Json {
  const isGiven = (name: string) => (config[name] ?? null) !== null;
  const rank = ({ name, type, default: otherwise }: ConfigField) =>
    type.kind === 'choice' ? type.values.indexOf(String(config[name] ?? otherwise)) : -1;
  const wrong = fields.flatMap(field => {
    const { name, needs, onlyWith, atMost } = field;
    const isLonely = (needs !== undefined && !isGiven(needs)) || (onlyWith !== undefined && !isGiven(onlyWith.key));
    const upper = fields.find(field => field.name === atMost);
    const isInverted = upper !== undefined && rank(upper) >= 0 && rank(field) > rank(upper);
    return [...(isLonely ? [name] : []), ...(isInverted ? [name, upper.name] : [])].filter(one => one in config);
  });
  if (wrong.length === 0) return config;
  const rest = Object.entries(config).filter(([name]) => !wrong.includes(name));
  return related(Object.fromEntries(rest), fields);
}

function configValue(type: ConfigType): fc.Arbitrary<Json> {
  switch (type.kind) {
    case 'any':
      return fc.constantFrom<Json>(null, 1, 'x', [null], { a: 1 });
    case 'bool':
      return fc.boolean();
    case 'int':
      return type.values ? fc.constantFrom(...type.values) : fc.integer({ min: type.min, max: type.max });
    case 'number':
      return fc.constantFrom(type.min, (type.min + type.max) / 2, type.max);
    case 'list':
      return fc.array(configValue(type.of), {
        minLength: type.min ?? 0,
        maxLength: Math.min(type.max ?? 3, (type.min ?? 0) + 2),
      });
    case 'map':
      return fc.dictionary(fc.constantFrom('X-Api-Key', 'a', 'x_y.z'), configValue(type.value), {
        minKeys: type.min ?? 0,
        maxKeys: Math.min(type.max ?? 2, 2),
      });
    case 'object':
      return fieldsOf(type.fields);
    case 'choice':
      return fc.constantFrom(...type.values);
    default:
      return fc.constantFrom(...SAMPLES[type.kind]);
  }
}

/** Scalars that are written as strings. */
const SAMPLES = {
  string: ['x', 'https://e.co/$1'],
  url: ['https://e.co/a', 'tcp://a.internal:9000'],
  domain: ['example.com', '.xn--bcher-kva.example'],
  credentials: ['ada:12345678', ':a:b:c:d:e'],
  shape: ['req.Host', "req.Headers['X-Api-Key']", 'ipp_1'],
  expression: ['true'],
  regex: ['.*', '^/v([0-9]+)'],
  duration: ['60s', '1h30m', '1.5h'],
  cidr: ['10.0.0.0/8', '::1', '2001:db8::/32'],
  'header-name': ['X-Api-Key', 'server'],
} as const satisfies Partial<Record<ConfigType['kind'], readonly string[]>>;

function orNull(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.option(value, { freq: 6 });
}

/** Replacement values of every kind, which are wrong in most positions. */
const STRANGERS: readonly Json[] = [
  ...[
    null,
    true,
    0,
    -1,
    17,
    100,
    302,
    1.5,
    '',
    'x',
    'deny',
    'log',
    'bad name',
    '90s',
    '1 h',
    '0',
    '10.0.0.0/33',
    '1.2.3',
    '::ffff:1.2.3.4',
  ],
  ...[
    [],
    [null],
    ['x'],
    [{}],
    {},
    { x: 1 },
    { type: 'deny' },
    { type: 'log', config: { metadata: {} } },
    { actions: [] },
  ],
];

/** A document, and the same with up to two changes: a value replaced, or a key removed or added. */
export function withChanges(documents: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const change = fc.record({
    place: fc.nat(),
    kind: fc.constantFrom('replace', 'remove', 'add'),
    key: fc.constantFrom('enabled', 'expressions', 'config', 'type', 'status_code', 'name', 'policy', 'id', 'x'),
    value: fc.constantFrom(...STRANGERS),
  });
  return fc
    .tuple(documents, fc.array(change, { maxLength: 2 }))
    .map(([document, changes]) => changes.reduce(changed, document));
}

interface Change {
  /** Returns the value at an index, counted from the outside; the index wraps around. */
  readonly place: number;
  readonly kind: string;
  readonly key: string;
  readonly value: Json;
}

function changed(document: Json, change: Change): Json {
  const count = countOf(document);
  let left = change.place % count;
  const visit = (value: Json): Json | undefined => {
    left -= 1;
    if (left < 0 && left > -2) return apply(value, change);
    if (Array.isArray(value)) return value.map(visit).filter(item => item !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, visit(inner)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  };
  return visit(document) ?? null;
}

/** Undefined removes the value. */
function apply(value: Json, { kind, key, value: stranger }: Change): Json | undefined {
  if (kind === 'remove') return undefined;
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return kind === 'add' && isMap ? { ...value, [key]: stranger } : stranger;
}

function countOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner: Json) => sum + countOf(inner), 1);
}
