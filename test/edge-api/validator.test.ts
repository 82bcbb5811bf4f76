import { createValidator, operationOf, SHAPES, type ShapeName, toAnswer } from '@tollgate/edge-api';
import { describe, expect, it } from 'vitest';
import type { BodyCase } from './body-case.ts';
import { BODY_LOCATIONS } from './body-locations.ts';
import { fieldCases } from './cases/field-cases.ts';
import { ruleCases } from './cases/rule-cases.ts';
import { memberAt } from './server-case.ts';

const validator = createValidator();
const cases = BODY_LOCATIONS.flatMap(location => [...fieldCases(location), ...ruleCases(location)]);

function outcome({ operation, body, expected, needsStore }: BodyCase): { found: unknown; wanted: unknown } {
  const result = validator.body(operation, body);
  if (expected.ok || needsStore) {
    if (!result.ok) return { found: result.faults, wanted: 'accepted' };
    const answer = toAnswer(operationOf(operation).answer!, result.value, { uriOf: id => id });
    const answered = (expected.ok ? expected.answered : undefined) ?? {};
    return {
      found: Object.fromEntries(Object.keys(answered).map(path => [path, memberAt(answer, path)])),
      wanted: answered,
    };
  }
  const { number, field } = expected;
  return result.ok
    ? { found: 'accepted', wanted: { number, field } }
    : { found: { number: result.faults[0].code, field: result.faults[0].field }, wanted: { number, field } };
}

describe('the validator', () => {
  it('has a location for every shape that requests send', () => {
    const sent = (Object.keys(SHAPES) as ShapeName[]).filter(name =>
      Object.values(SHAPES[name].fields).some(
        field => !('use' in field) || (field as { use?: string }).use !== 'answer',
      ),
    );
    expect(sent.filter(name => !BODY_LOCATIONS.some(({ shape }) => shape === name))).toEqual([]);
  });

  it('has cases with unique names', () => {
    const names = cases.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(cases)('$name', one => {
    const { found, wanted } = outcome(one);
    expect(found).toEqual(wanted);
  });
});
