import { EDGE_V2 } from '@tollgate/catalog';
import { unparse } from '@tollgate/cel';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import {
  type Analysis,
  analyzePolicy,
  createPhaseEnvironments,
  formatPolicy,
  type Rule,
  readingDifference,
} from '@tollgate/policy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { runs } from '../support/runs.ts';
import { messyJson, messyPolicy } from './messy-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

const WIDTHS = fc.constantFrom(20, 60, 100);

function analyze(text: string): Analysis {
  return analyzePolicy(new SourceText('p', text), OPTIONS);
}

/** A caller that has analyzed the text already gets the same. */
function format(text: string, width: number): string | undefined {
  const source = new SourceText('p', text);
  const formatted = formatPolicy(source, { ...OPTIONS, width });
  const { diagnostics } = analyze(text);
  expect(formatPolicy(source, { ...OPTIONS, width, diagnostics })).toEqual(formatted);
  return formatted.text;
}

/** What the check before writing a file finds. */
function difference(before: string, after: string): string | undefined {
  return readingDifference(new SourceText('p', before), new SourceText('p', after), OPTIONS);
}

/** All that an analysis says but for places, the layout of expressions, and how texts are written down, which formatting changes. */
function meaning({ policy, diagnostics }: Analysis): unknown {
  const rules = (all: readonly Rule[] = []) =>
    all.map(({ name, expressions, actions }) => ({
      name: name?.value,
      expressions: expressions.map(({ typed, source }) => (typed ? unparse(typed.ast) : source.replaceAll(/\s/g, ''))),
      actions: actions.map(({ type, config }) => ({ type: type.value, config: JSON.stringify(config) })),
    }));
  const findings = diagnostics.filter(one => !isAboutLayout(one)).map(shown);
  return {
    enabled: policy?.enabled,
    inbound: rules(policy?.rules.inbound),
    outbound: rules(policy?.rules.outbound),
    findings: findings.toSorted(),
  };
}

/** Says how something is written down, which formatting changes. */
function isAboutLayout({ code, severity }: Diagnostic): boolean {
  return code.startsWith('yaml/') && severity !== 'error';
}

/** A map in place of a text has another name, and quotes are proposed, in layouts in which a colon or a bracket is likely to have made what is there. */
function shown({ code, message }: Diagnostic): string {
  if (code === 'config/colon-in-text') return `config/wrong-type ${message.split('; a `:`')[0]}`;
  return `${code} ${code === 'config/wrong-type' ? message.replace('; put quotes around it', '') : message}`;
}

function hasSyntaxError({ diagnostics }: Analysis): boolean {
  return diagnostics.some(one => one.severity === 'error' && /^(?:syntax|yaml|limit)\//.test(one.code));
}

test.each([
  ['the same policies each time', { seed: 1, numRuns: runs(4, 300) }],
  ['new ones', { numRuns: runs(5, 100) }],
])(
  'a formatted policy means what it meant, has its comments, and stays so when formatted again: %s',
  (_, parameters) => {
    fc.assert(
      fc.property(messyPolicy, WIDTHS, ({ text, comments }, width) => {
        // The library writes some block scalars of nothing but blanks so that it cannot read them.
        fc.pre(parseDocument(text).errors.length === 0);
        const before = analyze(text);
        const formatted = format(text, width);
        if (hasSyntaxError(before)) {
          expect(formatted).toBeUndefined();
          return;
        }
        expect(meaning(analyze(formatted!))).toEqual(meaning(before));
        expect(difference(text, formatted!)).toBeUndefined();
        expect(formatted!.match(/# comment \d+/g)?.toSorted() ?? []).toEqual(comments.toSorted());
        expect(format(formatted!, width)).toBe(formatted);
      }),
      parameters,
    );
  },
);

test('a formatted JSON document keeps its meaning and stays JSON', () => {
  fc.assert(
    fc.property(messyJson, WIDTHS, (text, width) => {
      const before = analyze(text);
      fc.pre(!hasSyntaxError(before));
      const formatted = format(text, width)!;
      JSON.parse(formatted);
      expect(meaning(analyze(formatted))).toEqual(meaning(before));
      expect(difference(text, formatted)).toBeUndefined();
      expect(format(formatted, width)).toBe(formatted);
    }),
  );
});
