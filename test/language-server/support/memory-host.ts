import { createTargeting } from '@tollgate/core/targeting';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import type { Host, Project } from '@tollgate/language-server';
import { createLinter, knownIds, LINT_RULES, type LintRule, resolveRules } from '@tollgate/lint';
import { findPolicies } from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';

/** Files by path, which a test may change. */
export type Files = Map<string, string>;

/** What a test may change about a host. */
interface HostOptions {
  /** Lint rules of a user. */
  readonly customRules?: readonly LintRule[];
}

/** Returns a host with files in memory and default settings. */
export function memoryHost(files: Files, { customRules = [] }: HostOptions = {}): Host {
  const rules = [...LINT_RULES, ...customRules];
  return {
    directory: '/w',
    loadProject: async directory => projectOf(directory, rules),
    readFile: async path => {
      const text = files.get(path);
      return text === undefined ? new ExternalError('file/unreadable', `no ${path}`) : new SourceText(path, text);
    },
    findFiles: async directory => [...files.keys()].filter(path => path.startsWith(`${directory}/`)).sort(),
    kindOf: ({ uri, text }, embeddedSettings) => {
      if (/\.test\.(?:ya?ml|json)$/.test(uri)) return 'tests';
      if (/\.invariants\.(?:ya?ml|json)$/.test(uri)) return 'invariants';
      if (/match_type/.test(text)) return 'edge';
      const found = findPolicies(new SourceText(uri, text), embeddedSettings);
      return found.length === 0 || found.some(one => !one.part && one.layers.length === 0) ? 'policy' : 'embedding';
    },
    today: () => '2026-11-22',
  };
}

function projectOf(directory: string, rules: readonly LintRule[]): Project {
  const { active, adjust } = resolveRules(rules, ['all'], []);
  const known = knownIds(rules);
  const fast = active.filter(({ rule }) => rule.cost === 'fast' && LINT_RULES.includes(rule));
  const linters = { fast: createLinter(fast, { known, adjust }), all: createLinter(active, { known, adjust }) };
  return {
    directory,
    file: undefined,
    targetOf: createTargeting({ profile: undefined, endpoint: undefined, ofFile: () => ({}), adapt: one => one }),
    lintersOf: () => linters,
    embeddedSettingsOf: () => ({ fences: codeFences }),
    rules: () => rules,
    diagnostics: [],
    failures: [],
    sources: [],
  };
}
