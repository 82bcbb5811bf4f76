import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText, unmark } from '@tollgate/lint';
import { findingsInFile, findPolicies } from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';
import { expect, it } from 'vitest';

// Documentation with a placeholder in the place of each value, such as `{your provider}`: findings show what the page shows, and never the
// name that stands for it while the policy is read.

const LINTER = createLinter(LINT_RULES.map(rule => activate(rule, {})));

/** Returns a policy with a placeholder instead of each plain value, one at a time. */
function withOnePlaceholder(policy: string): readonly string[] {
  const values = [...policy.matchAll(/(?<=\w: )[\w.:/-]{2,}(?=\s*[\n,}])/g)];
  return values.map(
    ({ index, 0: value }) => `${policy.slice(0, index)}"{your value}"${policy.slice(index + value.length)}`,
  );
}

function messagesIn(markdown: string): readonly string[] {
  const file = new SourceText('a.md', markdown);
  return findPolicies(file, { fences: codeFences }).flatMap(policy => {
    const { part, source } = policy;
    const target = { profile: MODERN, endpoint: 'http-endpoint', ...(part && { part }) } as const;
    const found = findingsInFile(policy, lintText(source, target, LINTER).diagnostics);
    return found.flatMap(({ message, args, fixes = [], related = [] }) => [
      ...[message, JSON.stringify(args)],
      ...[...fixes.map(({ title }) => title), ...related.map(one => one.message)],
    ]);
  });
}

it('findings in Markdown show placeholders as the page does', () => {
  const policies = LINT_RULES.flatMap(({ bad }) =>
    bad.profile === 'modern' ? withOnePlaceholder(unmark(bad.policy).text) : [],
  );
  const messages = policies.flatMap(policy => messagesIn(`# Page\n\n\`\`\`yaml\n${policy}\n\`\`\`\n`));
  expect(policies.length).toBeGreaterThan(20);
  expect(messages.filter(one => one.includes('{your value}')).length).toBeGreaterThan(0);
  expect(messages.filter(one => one.includes('placeholder_'))).toEqual([]);
});
