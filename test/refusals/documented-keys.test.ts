import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type EvaluationContext,
  isAvailable,
  PROFILES,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type PhaseEnvironments } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values that are valid for fields of which the type says too little. */
const VALUES: Readonly<Record<string, Json>> = {
  'rate-limit.bucket_key': ['conn.client_ip'],
  'jwt-validation.allow_list': [{ value: 'https://id.example.com' }],
};

const OLD_VALUES: Readonly<Record<string, Json>> = {
  'rate-limit.bucket_key': ['conn.ClientIP', "getReqHeader('X-Key')"],
};

interface Making {
  readonly type: string;
  readonly isOld: boolean;
  /** Every documented key, or only those that are needed. */
  readonly isWhole: boolean;
}

function configOf(fields: readonly ConfigField[], making: Making): Json {
  const written = fields.filter(field => !field.deprecated && (making.isWhole || field.required));
  return Object.fromEntries(written.map(field => [field.name, writtenValue(field, making)]));
}

function writtenValue(field: ConfigField, making: Making): Json {
  const key = `${making.type}.${field.name}`;
  return (making.isOld ? OLD_VALUES[key] : undefined) ?? VALUES[key] ?? sampleOf(field.type, making);
}

function sampleOf(type: ConfigType, making: Making): Json {
  switch (type.kind) {
    case 'any':
      return [{ a: 1 }];
    case 'bool':
      return true;
    case 'int':
      return type.values?.[0] ?? type.min;
    case 'number':
      return type.min;
    case 'list':
      return [sampleOf(type.of, making)];
    case 'map':
      return { 'x-a': sampleOf(type.value, making) };
    case 'object':
      return configOf(type.fields, making);
    case 'choice':
      return type.values.at(-1)!;
    case 'duration':
      return `${Math.max(type.min, type.multipleOf ?? 1)}s`;
    default:
      return TEXTS[type.kind];
  }
}

const TEXTS = {
  string: 'x',
  shape: 'ipp_1',
  url: 'https://a.internal',
  domain: 'example.com',
  credentials: 'ada:12345678',
  regex: '^a',
  expression: 'true',
  cidr: '2001:db8::/32',
  'header-name': 'x-a',
} as const;

function placesOf(profile: Profile, fact: ActionFact): readonly EvaluationContext[] {
  return profile.endpoints
    .filter(endpoint => endpoint !== 'cloud-endpoint')
    .flatMap(endpoint => phasesAt(profile, endpoint).map(phase => ({ endpoint, phase })))
    .filter(place => isAvailable(fact, place));
}

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('an action of %s', (_, profile) => {
  const environments = new Map<string, PhaseEnvironments>(
    profile.endpoints.map(endpoint => [endpoint, createPhaseEnvironments(profile, endpoint)]),
  );

  function errorsOf(fact: ActionFact, isWhole: boolean): readonly string[] {
    return placesOf(profile, fact).flatMap(({ endpoint, phase }) => {
      const fields = fact.config.filter(
        field => (field.endpoints?.includes(endpoint) ?? true) && (field.phases?.includes(phase) ?? true),
      );
      const making = { type: fact.type, isOld: profile.name === 'edge-v2', isWhole };
      const config = configOf(fields, making);
      const action = { type: fact.type, ...(Object.keys(config as object).length > 0 && { config }) };
      const source = new SourceText('p.json', JSON.stringify({ [phase]: [{ actions: [action] }] }));
      const found = analyzePolicy(source, { profile, endpoint, environments: environments.get(endpoint)! });
      return found.diagnostics.map(({ message }) => `${phase} at ${endpoint}: ${message}`);
    });
  }

  it.each(profile.actions.map(fact => [fact.type, fact] as const))('may have every documented key: %s', (_, fact) => {
    expect(errorsOf(fact, true)).toEqual([]);
  });

  it.each(profile.actions.map(fact => [fact.type, fact] as const))('may have the needed keys only: %s', (_, fact) => {
    expect(errorsOf(fact, false)).toEqual([]);
  });
});
