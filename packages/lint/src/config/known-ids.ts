import { nearest } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import type { LintRule } from '../rule-api/lint-rule.ts';
import { ANALYSIS_AREAS, CODES_BY_ID, SHARED_CODES } from './analysis-codes.ts';

/** What settings and suppressions may name. */
export interface KnownIds {
  readonly isKnown: (name: string) => boolean;
  /** Returns true if the policy analysis, which always runs, reports something under this name. */
  readonly isAnalysed: (name: string) => boolean;
  /** Returns a suggestion to append to a message: ``; did you mean `a/b`?``. Empty if no name is similar. */
  readonly hint: (name: string) => string;
  /** Returns the id that was probably meant. */
  readonly suggestion: (name: string) => string | undefined;
  /** Returns the lint rule with this id. */
  readonly rule: (id: string) => LintRule | undefined;
}

const NAME = /^([a-z0-9-]+)\/(?:\*|[a-z0-9-]+)$/;

/** Collects the ids of lint rules, alternative names of codes, the codes themselves, and `category/*` for all of them. */
export function knownIds(rules: readonly LintRule[]): KnownIds {
  const byId = new Map(rules.map(rule => [rule.id as string, rule]));
  const ids = [...byId.keys(), ...Object.keys(CODES_BY_ID), ...SHARED_CODES, ...Object.values(CODES_BY_ID).flat()];
  const all = new Set([...ids, ...ids.map(id => `${id.slice(0, id.indexOf('/'))}/*`)]);
  const suggestion = (name: string) => nearest(name, all) ?? sameName(name, ids);
  return {
    isKnown: name => all.has(name) || ANALYSIS_AREAS.has(NAME.exec(name)?.[1] ?? ''),
    isAnalysed: name => (ownValue(CODES_BY_ID, name) ?? [name]).some(isOfAnalysis),
    suggestion,
    hint: name => {
      const found = suggestion(name);
      return found === undefined ? '' : `; did you mean \`${found}\`?`;
    },
    rule: id => byId.get(id),
  };
}

function isOfAnalysis(code: string): boolean {
  if (ANALYSIS_AREAS.has(code.slice(0, code.indexOf('/')))) return true;
  return SHARED_CODES.some(one => one === code || (code.endsWith('/*') && one.startsWith(code.slice(0, -1))));
}

/** Returns the id whose second part was given alone or after another category. */
function sameName(name: string, ids: readonly string[]): string | undefined {
  const own = name.slice(name.lastIndexOf('/') + 1);
  return ids.find(id => id.endsWith(`/${own}`));
}
