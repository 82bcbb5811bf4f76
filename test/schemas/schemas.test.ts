import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE_V2, type EndpointKind, isAvailable, PROFILES, phasesAt } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesBelow, ROOT } from '../architecture/source-file.ts';
import { runs } from '../support/runs.ts';
import { policies, withChanges } from './generated-policy.ts';

/** Annotations for editors. */
const KEYWORDS = ['markdownDescription', 'markdownEnumDescriptions', 'deprecationMessage'];

const SCHEMAS = PROFILES.flatMap(profile => {
  const schema = JSON.parse(readFileSync(join(ROOT, `grammars/policy.${profile.name}.schema.json`), 'utf8'));
  const ajv = new Ajv({ allowUnionTypes: true, keywords: KEYWORDS, schemas: [schema] });
  const validateForAny = ajv.getSchema(schema.$id)!;
  return profile.endpoints.map(endpoint => {
    const validate = ajv.getSchema(`${schema.$id}#/definitions/${endpoint}`)!;
    return { profile, endpoint, validate, validateForAny };
  });
});

/** Constraints that a schema cannot express: they depend on several values, on RE2, or on a setting. */
const BEYOND_SHAPE: ReadonlySet<string> = new Set([
  ...['policy/unreachable-action', 'policy/conflicting-actions', 'policy/unhandled-traffic', 'policy/unset-variable'],
  ...['config/bad-pattern', 'config/bad-punycode', 'config/missing-companion', 'config/unsupported-key'],
  ...['config/inverted-range', 'config/too-deep'],
]);

/** Errors that a schema can find as well. */
function isOfShape({ code, severity, args }: Diagnostic): boolean {
  if (severity !== 'error') return false;
  if (BEYOND_SHAPE.has(code)) return false;
  // Of a header, whose limits are settings.
  if (code === 'config/too-long' && args.limit !== undefined) return false;
  // Of durations.
  if (code === 'config/out-of-range' && typeof args.found === 'string') return false;
  return /^(?:policy|config|endpoint|phase)\//.test(code);
}

describe.each(SCHEMAS)(
  'the schema of $profile.name for $endpoint',
  ({ profile, endpoint, validate, validateForAny }) => {
    const options = { profile, endpoint, environments: createPhaseEnvironments(profile, endpoint) };

    it('rejects what the analysis rejects for its shape, and nothing else', () => {
      const verdicts = { right: 0, wrong: 0 };
      fc.assert(
        fc.property(withChanges(policies(profile, endpoint)), document => {
          const text = JSON.stringify(document);
          const found = analyzePolicy(new SourceText('p.json', text), options).diagnostics.filter(isOfShape);
          const isValid = validate(document);
          verdicts[isValid ? 'right' : 'wrong'] += 1;
          if (isValid) expect({ text, forAny: validateForAny(document) }).toEqual({ text, forAny: true });
          expect({ text, isValid, errors: isValid ? [] : found.map(one => one.message) }).toEqual({
            text,
            isValid: found.length === 0,
            errors: found.map(one => one.message),
          });
        }),
        { numRuns: runs(100, 300) },
      );
      expect(Math.min(verdicts.right, verdicts.wrong)).toBeGreaterThan(30);
    });

    it('accepts the example of each action', () => {
      for (const phase of phasesAt(profile, endpoint)) {
        for (const { type, example, config } of profile.actions.filter(fact =>
          isAvailable(fact, { endpoint, phase }),
        )) {
          const isWhole = config.every(
            field => (field.endpoints?.includes(endpoint) ?? true) && (field.phases?.includes(phase) ?? true),
          );
          const action = { type, ...(example !== undefined && isWhole && { config: example }) };
          validate({ [phase]: [{ actions: [action] }] });
          expect({ type, errors: validate.errors ?? [] }).toEqual({ type, errors: [] });
        }
      }
    });
  },
);

const endpointOf = (path: string) => (/\b(?:tls|tcp)-edge\b/.exec(path)?.[0] ?? 'https-route') as EndpointKind;

function settingOf(path: string) {
  return SCHEMAS.find(one => one.profile === EDGE_V2 && one.endpoint === endpointOf(path))!;
}

it.each(filesBelow('examples/policies', '.yaml'))('accepts the example: %s', path => {
  const { validate } = settingOf(path);
  validate(parse(readFileSync(join(ROOT, path), 'utf8')));
  expect(validate.errors ?? []).toEqual([]);
});

it('rejects the fixtures with a wrong shape like the analysis', () => {
  const verdicts = filesBelow('test/golden/check', '.yaml').flatMap(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const { profile, endpoint, validate } = settingOf(path);
    const { diagnostics } = analyzePolicy(new SourceText(path, text), { profile, endpoint });
    // The meaning of a broken document is ambiguous.
    if (diagnostics.some(diagnostic => diagnostic.code.startsWith('yaml/'))) return [];
    return [{ path, isValid: validate(parse(text)), isRight: !diagnostics.some(isOfShape) }];
  });
  expect(verdicts.filter(verdict => verdict.isValid !== verdict.isRight)).toEqual([]);
  expect(new Set(verdicts.map(verdict => verdict.isValid))).toEqual(new Set([true, false]));
});
