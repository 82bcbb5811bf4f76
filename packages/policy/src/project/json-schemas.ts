import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type EndpointKind,
  type Interpolation,
  isAvailable,
  type Phase,
  type Profile,
  phasesAt,
  terminationDoc,
} from '@tollgate/catalog';
import { unreachable } from '@tollgate/diagnostics';
import { HEADER_NAME_PATTERN } from '../expressions/explain-errors.ts';
import { DOMAIN_PATTERN, DURATION_PATTERN } from '../rules/check-string.ts';
import { WRAPPERS } from '../rules/read-policy.ts';
import { EXTENSION_FIELDS, INVARIANTS_FIELDS, PROJECT_FIELDS } from './shapes.ts';
import { TESTS_FIELDS } from './test-fields.ts';

/** Where a profile's schema is found. */
const SCHEMAS_URL = 'https://raw.githubusercontent.com/tollgate-policies/tollgate/main/grammars';

/**
 * Returns the JSON Schema of a profile's policies, for editors. It checks a document's shape like `analyzePolicy`, but no expressions,
 * patterns, bounds of durations, or conditions that involve several values or rules. A document does not say which endpoint it is for: the
 * schema accepts what some endpoint does, and `#/definitions/ENDPOINT` what this one does.
 */
export function policySchema(profile: Profile): JsonSchema {
  const shared = new SharedSchemas();
  const endpoints = profile.endpoints.map(endpoint => [endpoint, endpointSchema(profile, endpoint, shared)] as const);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `${SCHEMAS_URL}/policy.${profile.name}.schema.json`,
    ...endpointSchema(profile, undefined, shared),
    definitions: { ...Object.fromEntries(endpoints), ...shared.definitions },
  };
}

/** Definitions by name. What endpoints and phases have in common is written once. */
class SharedSchemas {
  readonly definitions: { [name: string]: JsonSchema } = {};

  /** Returns a reference to a definition with the first of the names that is free or has this schema. */
  refer(schema: JsonSchema, names: readonly string[]): JsonSchema {
    const text = JSON.stringify(schema);
    const name = names.find(one => one in this.definitions && JSON.stringify(this.definitions[one]) === text);
    const chosen = name ?? names.find(one => !(one in this.definitions)) ?? names.at(-1)!;
    this.definitions[chosen] = schema;
    return { $ref: `#/definitions/${chosen}` };
  }
}

/** A place in policies of an endpoint, or of any if it is undefined. */
interface Place {
  readonly endpoint: EndpointKind | undefined;
  readonly phase: Phase;
}

/** The root and each endpoint have the same keys: some editors merge the two. */
function endpointSchema(profile: Profile, endpoint: EndpointKind | undefined, shared: SharedSchemas): JsonSchema {
  const keys = [...profile.documentKeys, ...profile.phases];
  const isRequest = { anyOf: WRAPPERS.map(key => ({ required: [key] })) };
  const isBare = { anyOf: keys.map(key => ({ required: [key] })) };
  const policy = shared.refer(bareSchema(profile, endpoint, shared), namesOf('policy', { endpoint }));
  return {
    title: `traffic policy of ${profile.name}${endpoint === undefined ? '' : ` for ${endpoint}`}`,
    ...described(profile.doc),
    type: 'object',
    if: { allOf: [isRequest, { not: isBare }] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: shared.refer(requestSchema(policy), namesOf('request', { endpoint })),
    else: policy,
  };
}

/** Names of a definition, from the shortest. */
function namesOf(name: string, { endpoint, phase }: Partial<Place>): readonly string[] {
  const named = [name, ...(phase === undefined ? [] : [`${phase}-${name}`])];
  return endpoint === undefined ? named : [...named, `${endpoint}-${named.at(-1)}`];
}

function requestSchema(policy: JsonSchema): JsonSchema {
  const inner = WRAPPERS.map(key => [key, policy] as const);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(inner), id: {}, edge_id: {} },
    additionalProperties: false,
    oneOf: WRAPPERS.map(key => ({ required: [key] })),
  };
}

const ENABLED = { ...described('Whether the policy applies to traffic.'), type: ['boolean', 'null'], default: true };

function bareSchema(profile: Profile, endpoint: EndpointKind | undefined, shared: SharedSchemas): JsonSchema {
  const phases = endpoint === undefined ? profile.phases : phasesAt(profile, endpoint);
  const rules = phases.map(phase => [phase, rulesSchema(profile, { endpoint, phase }, shared)] as const);
  const properties = {
    ...(profile.documentKeys.includes('enabled') && { enabled: ENABLED }),
    ...Object.fromEntries(rules),
  };
  return { type: 'object', properties, additionalProperties: false };
}

function rulesSchema(profile: Profile, place: Place, shared: SharedSchemas): JsonSchema {
  const doc = profile.phaseFacts[place.phase]?.doc ?? '';
  const { endpoint, phase } = place;
  const items = shared.refer(ruleSchema(profile, place, shared), namesOf(`${phase}-rule`, { endpoint }));
  return { ...described(doc), type: ['array', 'null'], items };
}

function ruleSchema(profile: Profile, place: Place, shared: SharedSchemas): JsonSchema {
  const actions = profile.actions.filter(fact => isAvailableAt(fact, place));
  const expressions = {
    ...described('CEL conditions that must all hold. A rule without conditions always matches.'),
    type: ['array', 'null'],
    items: { type: 'string' },
  };
  return {
    type: 'object',
    properties: {
      name: { ...described('A label for people.'), type: ['string', 'null'] },
      expressions,
      actions: {
        ...described('What to do when the rule matches, in order.'),
        ...actionsSchema(actions, place, shared),
      },
    },
    required: ['actions'],
    additionalProperties: false,
  };
}

function actionsSchema(actions: readonly ActionFact[], place: Place, shared: SharedSchemas): JsonSchema {
  const type = {
    ...described('What to do.'),
    type: 'string',
    enum: actions.map(fact => fact.type),
    markdownEnumDescriptions: actions.map(fact => `${fact.doc} ${terminationDoc(fact)}`),
  };
  const item = {
    type: 'object',
    properties: { type, config: {} },
    required: ['type'],
    additionalProperties: false,
    allOf: actions.map(fact => withConfig(fact, place, shared)),
  };
  return { type: 'array', minItems: 1, items: item };
}

function withConfig(fact: ActionFact, place: Place, shared: SharedSchemas): JsonSchema {
  const config = shared.refer(configSchema(fact, place), namesOf(`${fact.type}-config`, place));
  const needsConfig = fieldsOf(fact, place).some(field => field.required);
  return {
    if: { properties: { type: { const: fact.type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      properties: { config },
      ...(needsConfig && { required: ['config'] }),
    },
  };
}

function configSchema(fact: ActionFact, place: Place): JsonSchema {
  const fields = fieldsOf(fact, place);
  const schema = fieldsSchema(fields, undefined, fact.openConfig);
  const isWhole = fields.length > 0 && fields.length === fact.config.length;
  return {
    ...described(fact.doc),
    ...(fields.some(field => field.required) ? schema : orNull(schema)),
    ...(fact.example !== undefined && isWhole && { examples: [fact.example] }),
  };
}

function isAvailableAt(fact: ActionFact, { endpoint, phase }: Place): boolean {
  return endpoint === undefined ? fact.phases.includes(phase) : isAvailable(fact, { endpoint, phase });
}

function fieldsOf(fact: ActionFact, { endpoint, phase }: Place): ActionFact['config'] {
  const isAtEndpoint = ({ endpoints }: ConfigField) =>
    endpoint === undefined || (endpoints?.includes(endpoint) ?? true);
  return fact.config.filter(field => isAtEndpoint(field) && (field.phases?.includes(phase) ?? true));
}

/**
 * Returns the schema of a map with these keys and no others.
 * @param outer the interpolation of the field whose value is the map
 */
function fieldsSchema(fields: readonly ConfigField[], outer?: Interpolation, open = false): JsonSchema {
  const required = fields.filter(field => field.required).map(field => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field, outer)])),
    ...(required.length > 0 && { required }),
    ...(!open && { additionalProperties: false }),
  };
}

function fieldSchema(field: ConfigField, outer: Interpolation | undefined): JsonSchema {
  const schema = typeSchema(field.type, field.interpolation ?? outer);
  return {
    ...described(docOf(field)),
    ...(field.required ? schema : orNull(schema)),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.deprecated && { deprecationMessage: insteadOf(field.deprecated) }),
  };
}

function docOf({ doc, deprecated }: ConfigField): string {
  return deprecated ? `${doc} Deprecated: ${insteadOf(deprecated)}.` : doc;
}

function insteadOf({ use }: NonNullable<ConfigField['deprecated']>): string {
  return use === undefined ? 'remove it' : `use \`${use}\``;
}

/**
 * Returns the schema of a configuration value. It accepts what the checks accept, except for what no schema can express:
 * RE2 syntax, expressions, and the bounds of durations.
 */
function typeSchema(type: ConfigType, filledIn: Interpolation | undefined): JsonSchema {
  switch (type.kind) {
    case 'any':
      return {};
    case 'bool':
      return { type: 'boolean' };
    case 'int':
      if (type.values) return { type: 'integer', enum: type.values };
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'number':
      return { type: 'number', minimum: type.min, maximum: type.max };
    case 'list':
      return listSchema(type, filledIn);
    case 'map':
      return mapSchema(type, filledIn);
    case 'object':
      return fieldsSchema(type.fields, filledIn, type.open);
    default:
      if (type.kind === 'string' && type.orScalar)
        return { type: ['string', 'number', 'boolean'], ...textSchema(type) };
      return { type: 'string', ...(filledIn?.endsWith('expressions') ? orFilled(textSchema(type)) : textSchema(type)) };
  }
}

function listSchema(type: Extract<ConfigType, { kind: 'list' }>, filledIn: Interpolation | undefined): JsonSchema {
  const item = typeSchema(type.of, filledIn);
  const list = {
    type: 'array',
    items: item,
    ...(type.min !== undefined && { minItems: type.min }),
    ...(type.max !== undefined && { maxItems: type.max }),
    ...(type.unique && { uniqueItems: true }),
  };
  return type.orOne ? { anyOf: [item, list] } : list;
}

function mapSchema(type: Extract<ConfigType, { kind: 'map' }>, filledIn: Interpolation | undefined): JsonSchema {
  return {
    type: 'object',
    ...(type.key && { propertyNames: { pattern: HEADER_NAME_PATTERN } }),
    additionalProperties: typeSchema(type.value, filledIn),
    ...(type.min !== undefined && { minProperties: type.min }),
    ...(type.max !== undefined && { maxProperties: type.max }),
  };
}

/** Also accepts strings with an interpolated expression, whose value is unknown. */
function orFilled(schema: JsonSchema): JsonSchema {
  return schema.pattern === undefined ? schema : { pattern: `${schema.pattern}|\\$\\{` };
}

/** What every URL has; the checks are stricter. */
const URL_PATTERN = '^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]';

type StringType = Exclude<ConfigType, { kind: 'any' | 'bool' | 'int' | 'number' | 'list' | 'map' | 'object' }>;

function textSchema(type: StringType): JsonSchema {
  switch (type.kind) {
    case 'string':
      return { ...(type.nonEmpty && { minLength: 1 }), ...(type.max !== undefined && { maxLength: type.max }) };
    case 'choice':
      return { enum: type.values };
    case 'shape':
      return { pattern: type.patterns.map(pattern => `(?:${pattern})`).join('|') };
    case 'credentials':
      return { pattern: `^[^:\\u0000-\\u001f\\u007f]*:[^\\u0000-\\u001f\\u007f]{${type.min},${type.max}}$` };
    case 'url':
      return { pattern: URL_PATTERN };
    case 'domain':
      return { pattern: DOMAIN_PATTERN };
    case 'regex':
    case 'expression':
      return {};
    case 'duration':
      return { pattern: DURATION_PATTERN };
    case 'cidr':
      return { pattern: CIDR_PATTERN };
    case 'header-name':
      return { pattern: HEADER_NAME_PATTERN };
    default:
      return unreachable(type);
  }
}

/** Returns the JSON Schema of project files, for editors. It accepts what `readProject` accepts. */
export function projectSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate project file',
    'Settings for all policies of a project: `tollgate.yaml`.',
    PROJECT_FIELDS,
  );
}

/**
 * Returns the JSON Schema of extension files, for editors. It accepts what `readExtension` accepts, but does not check types,
 * bodies, and the names of removed declarations.
 */
export function extensionSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate extension file',
    'What an edge has beyond the catalog, and what it lacks.',
    EXTENSION_FIELDS,
  );
}

/**
 * Returns the JSON Schema of policy tests, for editors. It accepts what `readTests` accepts, but does not check times,
 * URLs, header values, and duplicate names.
 */
export function testsSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate policy tests',
    'What a policy must do with certain exchanges, for `tollgate test`.',
    TESTS_FIELDS,
  );
}

/**
 * Returns the JSON Schema of invariants, for editors. It accepts what `readInvariants` accepts, but does not check expressions, names of rules
 * and that each invariant has one claim.
 */
export function invariantsSchema(): JsonSchema {
  return settingsSchema(
    'Tollgate invariants',
    'What a policy must do with all traffic, for `tollgate prove`.',
    INVARIANTS_FIELDS,
  );
}

function settingsSchema(title: string, doc: string, fields: readonly ConfigField[]): JsonSchema {
  const schema = fieldsSchema(fields);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...described(doc),
    ...schema,
    // An empty file is valid if no key is required.
    type: fields.some(field => field.required) ? 'object' : ['object', 'null'],
  };
}

/** A JSON Schema of draft-07, which every YAML editor understands, with their common keyword for Markdown. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly deprecationMessage?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchema;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly definitions?: { readonly [name: string]: JsonSchema };
  readonly $ref?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
}

/** Returns a description in both forms that editors read, unless both are the same. */
function described(doc: string): JsonSchema {
  return { description: doc, ...(/[`*_[\]<>#\\|~]/.test(doc) && { markdownDescription: doc }) };
}

/** Also accepts null, which means an omitted value. */
function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  if (schema.type === undefined) return schema;
  const type = [...[schema.type].flat(), 'null'];
  return { ...schema, type, ...(schema.enum && { enum: [...schema.enum, null] }) };
}

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const GROUP = '[0-9a-fA-F]{1,4}';
const LAST_TWO = `(?:${GROUP}:${GROUP}|${IPV4})`;

/** RFC 4291, section 2.2: eight groups, or fewer with `::`; the last two may be written as IPv4. */
const IPV6 = [`(?:${GROUP}:){6}${LAST_TWO}`, ...[0, 1, 2, 3, 4, 5, 6, 7].map(shortened)].join('|');

/** `before` groups, `::`, and at most as many groups as leave one out. */
function shortened(before: number): string {
  const head = before === 0 ? '' : `(?:${GROUP}:){${before - 1}}${GROUP}`;
  const room = 7 - before;
  const groups = room === 0 ? [] : [`(?:${GROUP}:){0,${room - 1}}${GROUP}`];
  const withIpv4 = room < 2 ? [] : [`(?:${GROUP}:){0,${room - 2}}${IPV4}`];
  const tail = [...groups, ...withIpv4];
  return `${head}::${tail.length === 0 ? '' : `(?:${tail.join('|')})?`}`;
}

/** An IPv4 or IPv6 address, with or without a prefix length. The equivalent of `isCidr` as a pattern. */
export const CIDR_PATTERN =
  `^(?:(?:${IPV4})(?:/(?:3[0-2]|[12]?\\d))?|` + `(?:${IPV6})(?:/(?:12[0-8]|1[01]\\d|[1-9]?\\d))?)$`;
