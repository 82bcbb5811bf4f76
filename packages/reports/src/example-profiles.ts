// The page of a code with its examples in another profile: the one in use, not the one in which they were written first.

import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import type { CodeExample } from '@tollgate/diagnostics';
import type { LintExample, LintRule } from '@tollgate/lint';
import { detectProfile, sharedVariables } from '@tollgate/policy';
import type { CodePage } from './code-page.ts';
import { exampleFindings } from './explain.ts';

/**
 * Returns a page whose examples are written in a profile, as far as they can be: each one is rewritten, and kept only if the bad example still has
 * the finding that the page is about, and the good one has none. Other examples stay, and the page names their profile.
 */
export function pageIn(page: CodePage, profile: Profile): CodePage {
  if (profile.name !== MODERN.name || page.rule?.bad.isEdge || page.rule?.bad.tests !== undefined) return page;
  const { bad, good } = page;
  const [isBad, isGood] = [bad, good].map(one => one !== undefined && isOlder(one, profile));
  if (!isBad && !isGood) return page;
  const rewritten: CodePage = {
    ...page,
    ...(bad && isBad && { bad: exampleIn(bad, profile) }),
    ...(good && isGood && { good: exampleIn(good, profile) }),
    ...(page.rule && { rule: ruleIn(page.rule, profile) }),
  };
  return isSound(rewritten, page) ? rewritten : page;
}

/** Returns true for a policy or an expression in another profile. */
function isOlder({ kind, text, profile }: CodeExample, wanted: Profile): boolean {
  if (kind !== 'policy' && kind !== 'expression') return false;
  const own = profile ?? (kind === 'policy' ? detectProfile(text).profile.name : EDGE_V2.name);
  return own !== wanted.name;
}

function isSound(page: CodePage, before: CodePage): boolean {
  const has = (one: CodeExample | undefined, of: CodePage) =>
    one !== undefined && exampleFindings(one, of).some(({ code }) => code === page.code);
  const errors = (one: CodeExample | undefined, of: CodePage) =>
    one === undefined ? 0 : exampleFindings(one, of).filter(({ severity = 'error' }) => severity === 'error').length;
  return (
    has(page.bad, page) === has(before.bad, before) &&
    errors(page.bad, page) <= errors(before.bad, before) &&
    !has(page.good, page) &&
    errors(page.good, page) === 0
  );
}

function exampleIn({ endpoint: _, ...example }: CodeExample, profile: Profile): CodeExample {
  return { ...example, text: textIn(example.text, profile), profile: profile.name };
}

function ruleIn(rule: LintRule, profile: Profile): LintRule {
  const inProfile = (one: LintExample): LintExample =>
    one.profile === 'modern' ? one : { ...one, policy: textIn(one.policy, profile), profile: 'modern' };
  return { ...rule, bad: inProfile(rule.bad), good: inProfile(rule.good) };
}

const PHASES: Readonly<Record<string, string>> = { inbound: 'on_http_request', outbound: 'on_http_response' };

/** Rewrites the names of phases and variables, also misspelt ones, which a migration would refuse. */
function textIn(text: string, profile: Profile): string {
  const renamed = sharedVariables(EDGE_V2, profile)?.renamed;
  return text
    .replace(/\b(?:inbound|outbound)(?=["']?\s*:)/g, phase => PHASES[phase] ?? phase)
    .replace(/\b(?:req|res|conn)(?:\.[A-Z]\w*)+/g, path => {
      const known = renamed?.get(path);
      if (known !== undefined) return known;
      const [root, ...fields] = path.split('.');
      return [root, ...fields.map(snakeCase)].join('.');
    });
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
}
