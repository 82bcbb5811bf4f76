import { EDGE_V2, type EndpointKind, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, migratePolicy } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Json, policies } from '../schemas/generated-policy.ts';
import { runs } from '../support/runs.ts';

const RUNS = runs(5, 25);

const LAYOUTS: Readonly<Record<string, (document: Json) => string>> = {
  'indented JSON': document => `${JSON.stringify(document, undefined, 2)}\n`,
  'blocks of YAML': document => stringify(document),
  'blocks with lists that are not indented': document => stringify(document, { indentSeq: false, indent: 4 }),
  'single quotes': document => stringify(document, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }),
  'double quotes, keys too': document => stringify(document, { defaultStringType: 'QUOTE_DOUBLE' }),
  'flow collections': document => stringify(document, { collectionStyle: 'flow', lineWidth: 0 }),
  'comments on every line': document =>
    `# head\n${stringify(document, { lineWidth: 0 }).replaceAll('\n', ' # here\n')}# foot\n`,
};

function migrate(text: string, endpoint: EndpointKind) {
  return migratePolicy(new SourceText('p', text), { from: EDGE_V2, to: MODERN, endpoint });
}

/** Of what nothing is left, blocks show null and brackets an empty list: no rule either way. */
function shown(text: string): unknown {
  return JSON.parse(JSON.stringify(parse(text)), (_, value) => (value === null ? [] : value));
}

describe.each(EDGE_V2.endpoints)('a migrated policy for %s', endpoint => {
  it.each(Object.entries(LAYOUTS))('has the same content in any layout: %s', (_, layout) => {
    let count = 0;
    fc.assert(
      fc.property(policies(EDGE_V2, endpoint), document => {
        const reference = migrate(JSON.stringify(document), endpoint);
        // One that has errors, such as an action that is never reached.
        fc.pre(reference.text !== undefined);
        const { text, diagnostics } = migrate(layout(document), endpoint);
        expect(shown(text!)).toEqual(shown(reference.text!));
        expect(diagnostics.map(one => one.code)).toEqual(reference.diagnostics.map(one => one.code));
        count += 1;
      }),
      { numRuns: RUNS },
    );
    expect(count).toBe(RUNS);
  });

  it('has no unreported error', () => {
    fc.assert(
      fc.property(policies(EDGE_V2, endpoint), document => {
        const { text, diagnostics } = migrate(JSON.stringify(document), endpoint);
        fc.pre(text !== undefined);
        const errors = analyzePolicy(new SourceText('p', text), { profile: MODERN, endpoint }).diagnostics;
        const isFinished = !diagnostics.some(one => one.severity === 'error');
        expect(errors.some(one => one.severity === 'error') && isFinished).toBe(false);
      }),
      { numRuns: runs(8, 40) },
    );
  });
});
