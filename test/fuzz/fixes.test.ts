import { EDGE_V2, EDGE_V2_SNAKE, MODERN, type Profile } from '@tollgate/catalog';
import { type Diagnostic, type Fix, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { applyEdits } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../schemas/generated-policy.ts';
import { meaningfulPolicies } from '../simulation/generated-rules.ts';
import { runs, seed } from '../support/runs.ts';
import { EXPRESSION_MISTAKES } from './planted-mistakes.ts';

// Applies every fix and suggestion of every finding in generated policies, right and with planted mistakes.

const SEED = seed(20_261_130, 'TOLLGATE_FIXES_SEED');
const RULE_IDS: ReadonlySet<string> = new Set(LINT_RULES.map(({ id }) => id));
const LINTER = createLinter(LINT_RULES.map(rule => activate(rule)));

/** A string and an int of each profile, for the planted mistakes. */
const OPERANDS = {
  'edge-v2': ['req.Path', 'req.ContentLength'],
  'edge-v2-snake': ['req.url.path', 'req.content_length'],
  modern: ['req.url.path', 'req.content_length'],
} as const;

function planted(policy: Json, mistake: string | undefined): Json {
  if (mistake === undefined) return policy;
  let isPlanted = false;
  return JSON.parse(JSON.stringify(policy), (key, value) => {
    if (key !== 'expressions' || !Array.isArray(value) || isPlanted) return value;
    isPlanted = true;
    return [...value, mistake];
  }) as Json;
}

/** The number of errors by code, and of the findings of one code. */
function errorCounts(found: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code, severity } of found) if (severity === 'error') counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

const countOf = (found: readonly Diagnostic[], code: string) => found.filter(one => one.code === code).length;

/** Says what a fix makes worse; undefined if it leads to a policy without the finding, or with fewer of them, and without other errors. */
function harmOf(
  text: string,
  found: readonly Diagnostic[],
  { code }: Diagnostic,
  { edits, title, applicability }: Fix,
  profile: Profile,
) {
  const fixed = applyEdits(
    text,
    edits.toSorted((a, b) => a.range.start - b.range.start),
  );
  const now = lint(fixed, profile);
  const [before, after] = [errorCounts(found), errorCounts(now)];
  // What an error of the checker, or a rule that handles everything, keeps lint rules from seeing is not caused by its fix.
  const isCounted = (name: string) => !RULE_IDS.has(name) || (RULE_IDS.has(code) && applicability !== 'unsafe');
  const added = [...after].flatMap(([name, count]) =>
    isCounted(name) && count > (before.get(name) ?? 0) ? [name] : [],
  );
  if (fixed === text) return `${code}: \`${title}\` changes nothing`;
  if (added.length > 0) return `${code}: \`${title}\` adds ${added.join(', ')}`;
  return countOf(now, code) < countOf(found, code) ? undefined : `${code}: \`${title}\` leaves it`;
}

function lint(text: string, profile: Profile): readonly Diagnostic[] {
  const target = { profile, endpoint: profile.endpoints[0]! };
  return lintText(new SourceText('p.yaml', text), target, LINTER).diagnostics;
}

const LAYOUTS = fc.record({
  lineWidth: fc.constantFrom(0, 60),
  collectionStyle: fc.constantFrom('any', 'block'),
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'),
} as const);

describe(`fixes and suggestions (seed ${SEED})`, () => {
  it.each([EDGE_V2, EDGE_V2_SNAKE, MODERN])(
    'lead to a policy without the finding and without other errors: $name',
    profile => {
      const [string, int] = OPERANDS[profile.name as keyof typeof OPERANDS];
      const mistakes = EXPRESSION_MISTAKES.map(({ source }) =>
        source.replaceAll(/[«»]/g, '').replaceAll(/\bS\b/g, string).replaceAll(/\bN\b/g, int),
      );
      let applied = 0;
      fc.assert(
        fc.property(
          meaningfulPolicies(profile, profile.endpoints[0]!),
          fc.option(fc.constantFrom(...mistakes), { nil: undefined }),
          LAYOUTS,
          (policy, mistake, layout) => {
            const text = stringify(planted(policy, mistake), layout);
            const found = lint(text, profile);
            for (const finding of found) {
              for (const fix of finding.fixes ?? []) {
                applied += 1;
                const harm = harmOf(text, found, finding, fix, profile);
                if (harm !== undefined) expect({ harm, text }).toBe('nothing is worse');
              }
            }
          },
        ),
        { numRuns: runs(2, 170, 'TOLLGATE_FIXES_CASES'), seed: SEED },
      );
      expect(applied).toBeGreaterThan(0);
    },
  );
});
