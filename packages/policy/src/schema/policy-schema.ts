import { type ActionFact, type EndpointKind, isAvailable, type Phase, type Profile } from '@tollgate/catalog';
import { WRAPPERS } from '../model/read-policy.ts';
import { fieldsSchema } from './config-schema.ts';
import { described, type JsonSchema, orNull } from './json-schema.ts';

/**
 * The JSON Schema of the policies of a profile for one kind of endpoint, for editors. It says of a document's shape what
 * `analyzePolicy` says, and nothing of expressions, of patterns, of the bounds of durations and of actions that are never reached.
 */
export function policySchema(profile: Profile, endpoint: EndpointKind): JsonSchema {
  const actions = profile.actions.filter(fact => fact.endpoints.includes(endpoint));
  const rules = profile.phases.map(phase => [`${phase}-rule`, ruleSchema(profile, { endpoint, phase })] as const);
  const configs = actions.map(fact => [`${fact.type}-config`, configSchema(fact, endpoint)] as const);
  const isRequest = { anyOf: WRAPPERS.map(key => ({ required: [key] })) };
  const isBare = { anyOf: ['enabled', ...profile.phases].map(key => ({ required: [key] })) };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `traffic policy of ${profile.name} for ${endpoint}`,
    ...described(profile.doc),
    type: 'object',
    if: { allOf: [isRequest, { not: isBare }] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: requestSchema(),
    else: { $ref: '#/definitions/policy' },
    definitions: { policy: bareSchema(profile), ...Object.fromEntries([...rules, ...configs]) },
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

function bareSchema(profile: Profile): JsonSchema {
  const phases = profile.phases.map(phase => [phase, rulesSchema(phase)] as const);
  const enabled = {
    ...described('Whether the policy is applied to traffic.'),
    type: ['boolean', 'null'],
    default: true,
  };
  return {
    type: 'object',
    properties: { enabled, ...Object.fromEntries(phases) },
    additionalProperties: false,
  };
}

function rulesSchema(phase: Phase): JsonSchema {
  const doc = `Rules of the phase \`${phase}\`, run in order.`;
  return { ...described(doc), type: ['array', 'null'], items: { $ref: `#/definitions/${phase}-rule` } };
}

function ruleSchema(profile: Profile, place: { endpoint: EndpointKind; phase: Phase }): JsonSchema {
  const actions = profile.actions.filter(fact => isAvailable(fact, place));
  const name = { ...described('A label, for people.'), type: ['string', 'null'] };
  const expressions = {
    ...described('Conditions in CEL, all of which must hold. Without any the rule always matches.'),
    type: ['array', 'null'],
    items: { type: 'string' },
  };
  return {
    type: 'object',
    properties: {
      name,
      expressions,
      actions: {
        ...described('What to do when the rule matches, in order.'),
        ...actionsSchema(actions, place.endpoint),
      },
    },
    required: ['actions'],
    additionalProperties: false,
  };
}

function actionsSchema(actions: readonly ActionFact[], endpoint: EndpointKind): JsonSchema {
  const type = {
    ...described('What to do.'),
    type: 'string',
    enum: actions.map(fact => fact.type),
    markdownEnumDescriptions: actions.map(fact => fact.doc),
  };
  const item = {
    type: 'object',
    properties: { type, config: {} },
    required: ['type'],
    additionalProperties: false,
    allOf: actions.map(fact => withConfig(fact, endpoint)),
  };
  return { type: 'array', minItems: 1, items: item };
}

function withConfig(fact: ActionFact, endpoint: EndpointKind): JsonSchema {
  const needsConfig = fieldsOf(fact, endpoint).some(field => field.required);
  return {
    if: { properties: { type: { const: fact.type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      properties: { config: { $ref: `#/definitions/${fact.type}-config` } },
      ...(needsConfig && { required: ['config'] }),
    },
  };
}

function configSchema(fact: ActionFact, endpoint: EndpointKind): JsonSchema {
  const fields = fieldsOf(fact, endpoint);
  const schema = fieldsSchema(fields);
  return {
    ...described(fact.doc),
    ...(fields.some(field => field.required) ? schema : orNull(schema)),
    ...(fact.example !== undefined && fields.length > 0 && { examples: [fact.example] }),
  };
}

function fieldsOf(fact: ActionFact, endpoint: EndpointKind): ActionFact['config'] {
  return fact.config.filter(field => field.endpoints?.includes(endpoint) ?? true);
}
