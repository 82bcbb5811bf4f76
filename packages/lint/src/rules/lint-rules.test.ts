import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import type { Diagnostic, Fix } from '@tollgate/diagnostics';
import { applyEdits } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { lintExample, lintedText, unmark } from '../engine/lint-example.ts';
import { createLinter } from '../engine/lint-text.ts';
import { activate } from '../engine/resolve-rules.ts';
import type { LintExample, LintRule } from '../rule-api/lint-rule.ts';
import { LINT_RULES } from './lint-rules.ts';

const FOLDER = import.meta.dirname;
const RULES = LINT_RULES.map(rule => [rule.id, rule] as const);
const ALL = createLinter(LINT_RULES.map(rule => activate(rule)));

/** Returns the id for each file of a lint rule; the category is the first word of its folder: `logic-order/redundant-rule.ts` is `logic/redundant-rule`. */
function idsOfFiles(ending: string): readonly string[] {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return files
    .filter(({ name }) => /^[a-z0-9-]+$/.test(name.slice(0, -ending.length)) && name.endsWith(ending))
    .map(({ name, parentPath }) => `${relative(FOLDER, parentPath).split('-')[0]}/${name.slice(0, -ending.length)}`)
    .filter(id => !id.startsWith('/') && !SHARED.has(id));
}

/** Files that several lint rules of a category share, and tables. */
const SHARED: ReadonlySet<string> = new Set([
  ...['geo/countries', 'http/body-format', 'ip/category-levels', 'test/test-file', 'tls/tls-versions'],
]);

function lint(example: LintExample, text?: string): readonly Diagnostic[] {
  return lintExample(example, ALL, text === undefined ? {} : { text });
}

/** Lint rules that require hardening of a whole policy, which examples omit for brevity. */
const HARDENING: ReadonlySet<string> = new Set([
  ...['url/path-spellings', 'header/override-headers', 'http/host-port', 'url/normalisation-bypass'],
]);

describe('the lint rules', () => {
  it('are exactly those with a file, each under the id of its path', () => {
    expect(LINT_RULES.map(rule => rule.id).toSorted()).toEqual(idsOfFiles('.ts').toSorted());
  });

  it('each have a test', () => {
    expect(idsOfFiles('.test.ts').toSorted()).toEqual(LINT_RULES.map(rule => rule.id).toSorted());
  });

  it.each(RULES)('%s has a summary and rationale in the house style', (_, rule) => {
    expect(rule.summary).toMatch(/^(?![A-Z][a-z]).{11,91}[^.]$/);
    expect(rule.rationale).toMatch(/^[A-Z`].{40,}\.$/s);
    expect(rule.severity === 'off' && rule.presets.includes('recommended')).toBe(false);
    expect(unmark(lintedText(rule.good)).ranges).toEqual([]);
  });

  it.each(RULES)('%s has a good example without findings of any lint rule', (_, rule) => {
    const findings = lint(rule.good).filter(({ code }) => code === rule.id || !HARDENING.has(code));
    expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });

  it.each(RULES)('%s has messages in the house style', (id, rule) => {
    for (const { message } of lint(rule.bad).filter(({ code }) => code === id)) {
      expect(message).toMatch(/^(?![A-Z][a-z]).*[^.]$/s);
    }
  });

  it.each(RULES)('%s offers no safer fix than it declares', (id, rule) => {
    const fixes = lint(rule.bad).flatMap(({ code, fixes: offered }) => (code === id ? (offered ?? []) : []));
    expect(fixes.filter(fix => !isAsSaid(rule, fix))).toEqual([]);
  });
});

describe('the fixes of the lint rules', () => {
  it.each(RULES)('%s introduces no error into a policy', (id, rule) => {
    const { text } = unmark(lintedText(rule.bad));
    const before = lint(rule.bad);
    const known = new Set(before.map(({ code }) => code));
    const fixes = before.flatMap(({ code, fixes: offered }) => (code === id ? (offered ?? []) : []));
    const broken = fixes.filter(fix => {
      const after = lint(rule.bad, applyEdits(text, fix.edits));
      return after.some(({ severity, code }) => severity === 'error' && !known.has(code));
    });
    expect(broken.map(fix => fix.title)).toEqual([]);
  });
});

const RANKS: readonly (LintRule['fixable'] | Fix['applicability'])[] = ['no', 'suggestion', 'unsafe', 'safe'];

function isAsSaid({ fixable }: LintRule, { applicability }: Fix): boolean {
  return RANKS.indexOf(applicability) <= RANKS.indexOf(fixable);
}
