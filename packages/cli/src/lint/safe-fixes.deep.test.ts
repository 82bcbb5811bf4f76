import { globSync, readFileSync } from 'node:fs';
import { PROFILES } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText, unmark } from '@tollgate/lint';
import { analyzePolicy, applyEdits, createPhaseEnvironments, detectProfile } from '@tollgate/policy';
import { expect, it } from 'vitest';
import { decisionDifference } from './decision-difference.ts';

/** The inputs of lint rules with their profiles: bad examples, and the policies of the examples. */
const TEXTS = [
  ...LINT_RULES.filter(rule => !rule.bad.tests && !rule.bad.isEdge).map(({ id, bad }) => ({
    name: id as string,
    text: unmark(bad.policy).text,
    profile: PROFILES.find(one => one.name === (bad.profile ?? 'edge-v2'))!,
    endpoint: bad.endpoint,
  })),
  ...globSync('examples/policies/*.yaml').map(path => {
    const text = readFileSync(path, 'utf8');
    return { name: path, text, profile: detectProfile(text).profile, endpoint: undefined };
  }),
];

/** Safe because the change is certainly intended, although responses differ. */
const CHANGES_CONTENTS: ReadonlySet<string> = new Set(['http/status-forbids-body']);

const LINTER = createLinter(LINT_RULES.map(rule => activate(rule, rule.bad.options)));

it('safe fixes of all lint rules change no decision on exchanges that the policies may treat differently', () => {
  const tried = new Set<string>();
  const changed = TEXTS.flatMap(({ name, text, profile, endpoint: said }) => {
    const endpoint = said ?? profile.endpoints[0]!;
    const environments = createPhaseEnvironments(profile, endpoint);
    const target = { profile, endpoint, environments };
    const analyze = (one: string) => analyzePolicy(new SourceText('p.yaml', one), target).policy!;
    const fixed = (finding: Diagnostic): readonly string[] => {
      const fix = finding.fixes?.find(fix => fix.applicability === 'safe');
      if (!fix || CHANGES_CONTENTS.has(finding.code)) return [];
      tried.add(finding.code);
      const after = analyze(applyEdits(text, fix.edits));
      const { different } = decisionDifference({ before: analyze(text), after }, { profile, environments });
      return different > 0 ? [`${name}: ${finding.code} changes ${different}`] : [];
    };
    const { diagnostics } = lintText(new SourceText('p.yaml', text), target, LINTER);
    return diagnostics.some(
      diagnostic => diagnostic.severity === 'error' && !LINT_RULES.some(({ id }) => id === diagnostic.code),
    )
      ? []
      : diagnostics.flatMap(fixed);
  });
  expect(changed).toEqual([]);
  expect(LINT_RULES.filter(rule => rule.fixable === 'safe' && !tried.has(rule.id)).map(rule => rule.id)).toEqual([
    ...['http/status-forbids-body', 'test/focused', 'test/unused-fixture'],
  ]);
});
