import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SourceText } from '@tollgate/diagnostics';
import {
  EXTENSION_FIELDS,
  INVARIANTS_FIELDS,
  PROJECT_FIELDS,
  readExtension,
  readInvariants,
  readProject,
  readTests,
  TESTS_FIELDS,
} from '@tollgate/policy';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { runs } from '../support/runs.ts';
import { fieldsOf, withChanges } from './generated-policy.ts';

const FILES = [
  ['project', PROJECT_FIELDS, readProject],
  ['extension', EXTENSION_FIELDS, readExtension],
  ['tests', TESTS_FIELDS, readTests],
  ['invariants', INVARIANTS_FIELDS, readInvariants],
] as const;

const RUNS = runs(40, 500);

describe.each(FILES)('the schema of a %s file', (name, fields, read) => {
  const ajv = new Ajv({ allowUnionTypes: true, keywords: ['markdownDescription'] });
  const validate = ajv.compile(JSON.parse(readFileSync(join(ROOT, `grammars/${name}.schema.json`), 'utf8')));

  it('rejects what its reader rejects for its shape, and nothing else', () => {
    const verdicts = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(withChanges(fieldsOf(fields)), document => {
        const text = JSON.stringify(document);
        const { diagnostics } = read(new SourceText('x.json', text));
        const errors = diagnostics
          .filter(diagnostic => diagnostic.code === 'settings/invalid')
          .map(diagnostic => diagnostic.message);
        const isValid = validate(document);
        verdicts[isValid ? 'right' : 'wrong'] += 1;
        expect({ text, isValid, errors }).toEqual({ text, isValid: errors.length === 0, errors });
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(verdicts.right, verdicts.wrong)).toBeGreaterThan(RUNS / 5);
  });

  it('describes each key', () => {
    const { properties } = JSON.parse(readFileSync(join(ROOT, `grammars/${name}.schema.json`), 'utf8'));
    expect(Object.keys(properties)).toEqual(fields.map(field => field.name));
    for (const { doc, name: key } of fields) expect(properties[key].description).toBe(doc);
  });
});
