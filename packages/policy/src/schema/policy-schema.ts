import {
  type ActionFact,
  type EndpointKind,
  type EvaluationContext,
  isAvailable,
  type Phase,
  type Profile,
  phasesAt,
  terminationDoc,
} from '@tollgate/catalog';
import { WRAPPERS } from '../policy-reader/read-policy.ts';
import { fieldsSchema } from './config-schema.ts';
import { described, type JsonSchema, orNull } from './json-schema.ts';

/**
 * Returns the JSON Schema of a profile's policies for one endpoint kind, for editors. It checks a document's shape like
 * `analyzePolicy`, but no expressions, patterns, bounds of durations, or conditions that involve several
 * values or rules.
 */
export function policySchema(profile: Profile, endpoint: EndpointKind): JsonSchema {
  const phases = phasesAt(profile, endpoint);
  const keys = [...profile.documentKeys, ...profile.phases];
  const isRequest = { anyOf: WRAPPERS.map(key => ({ required: [key] })) };
  const isBare = { anyOf: keys.map(key => ({ required: [key] })) };
  const places = phases.map(phase => ({ endpoint, phase }));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `traffic policy of ${profile.name} for ${endpoint}`,
    ...described(profile.doc),
    type: 'object',
    if: { allOf: [isRequest, { not: isBare }] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: requestSchema(),
    else: { $ref: '#/definitions/policy' },
    definitions: {
      policy: bareSchema(profile, phases),
      ...Object.fromEntries(places.map(place => [`${place.phase}-rule`, ruleSchema(profile, place)])),
      ...Object.fromEntries(places.flatMap(place => configSchemas(profile, place))),
    },
  };
}

function requestSchema(): JsonSchema {
  const inner = WRAPPERS.map(key => [key, { $ref: '#/definitions/policy' }] as const);
  return {
    properties: { ...Object.fromEntries(inner), id: {}, edge_id: {} },
    additionalProperties: false,
    oneOf: WRAPPERS.map(key => ({ required: [key] })),
  };
}

const ENABLED = { ...described('Whether the policy applies to traffic.'), type: ['boolean', 'null'], default: true };

function bareSchema(profile: Profile, phases: readonly Phase[]): JsonSchema {
  const rules = phases.map(phase => [phase, rulesSchema(profile, phase)] as const);
  const properties = {
    ...(profile.documentKeys.includes('enabled') && { enabled: ENABLED }),
    ...Object.fromEntries(rules),
  };
  return { type: 'object', properties, additionalProperties: false };
}

function rulesSchema(profile: Profile, phase: Phase): JsonSchema {
  const doc = profile.phaseFacts[phase]?.doc ?? '';
  return { ...described(doc), type: ['array', 'null'], items: { $ref: `#/definitions/${phase}-rule` } };
}

function ruleSchema(profile: Profile, place: EvaluationContext): JsonSchema {
  const actions = actionsAt(profile, place);
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
      actions: { ...described('What to do when the rule matches, in order.'), ...actionsSchema(actions, place) },
    },
    required: ['actions'],
    additionalProperties: false,
  };
}

function actionsSchema(actions: readonly ActionFact[], place: EvaluationContext): JsonSchema {
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
    allOf: actions.map(fact => withConfig(fact, place)),
  };
  return { type: 'array', minItems: 1, items: item };
}

function withConfig(fact: ActionFact, place: EvaluationContext): JsonSchema {
  const needsConfig = fieldsOf(fact, place).some(field => field.required);
  return {
    if: { properties: { type: { const: fact.type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      properties: { config: { $ref: `#/definitions/${configName(fact, place)}` } },
      ...(needsConfig && { required: ['config'] }),
    },
  };
}

function configSchemas(profile: Profile, place: EvaluationContext): readonly (readonly [string, JsonSchema])[] {
  return actionsAt(profile, place).map(fact => [configName(fact, place), configSchema(fact, place)] as const);
}

/** One schema for all phases, unless a key exists only in some. */
function configName(fact: ActionFact, place: EvaluationContext): string {
  return fact.config.some(field => field.phases) ? `${place.phase}-${fact.type}-config` : `${fact.type}-config`;
}

function configSchema(fact: ActionFact, place: EvaluationContext): JsonSchema {
  const fields = fieldsOf(fact, place);
  const schema = fieldsSchema(fields, undefined, fact.openConfig);
  const isWhole = fields.length > 0 && fields.length === fact.config.length;
  return {
    ...described(fact.doc),
    ...(fields.some(field => field.required) ? schema : orNull(schema)),
    ...(fact.example !== undefined && isWhole && { examples: [fact.example] }),
  };
}

function actionsAt(profile: Profile, place: EvaluationContext): readonly ActionFact[] {
  return profile.actions.filter(fact => isAvailable(fact, place));
}

function fieldsOf(fact: ActionFact, { endpoint, phase }: EvaluationContext): ActionFact['config'] {
  return fact.config.filter(
    field => (field.endpoints?.includes(endpoint) ?? true) && (field.phases?.includes(phase) ?? true),
  );
}
