// The names that settings and suppressions may use: ids of rules, and codes of the analysis.

import { nearest } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import type { LintRule } from '../rule-api/lint-rule.ts';

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

/**
 * Alternative names for codes, most of them of the policy analysis. Settings, suppressions and `tollgate explain` accept the name for all
 * of its codes; reports print the code, which is more precise.
 */
export const CODES_BY_ID: Readonly<Record<string, readonly string[]>> = {
  'doc/parse-error': ['yaml/*', 'json/*', 'syntax/*'],
  'doc/duplicate-key': ['yaml/duplicate-key', 'json/duplicate-key'],
  'doc/wrong-shape': ['policy/wrong-type'],
  'doc/unknown-key': ['policy/unknown-key'],
  'doc/missing-required': ['policy/missing-key', 'policy/empty-actions', 'policy/empty-document'],
  'doc/unknown-action-type': ['policy/unknown-action'],
  'doc/action-config-schema': ['config/*'],
  'doc/mixed-dialect': ['policy/unknown-key', 'name/undeclared-field', 'name/undeclared-reference'],
  'doc/yaml-bang-tag': ['yaml/unknown-tag', 'yaml/unquoted-text', 'yaml/bad-scalar-start', 'yaml/unknown-alias'],
  'doc/limits': ['limit/rules', 'limit/expressions', 'limit/actions', 'config/list-length', 'config/map-size'],
  'doc/yaml-comment-cut': ['yaml/comment-in-text', 'policy/unquoted-expression'],
  'doc/yaml-implicit-type': ['yaml/ambiguous-text', 'yaml/rewritten-number'],
  'doc/block-scalar-newline': ['yaml/trailing-line-break'],
  'doc/anchor-or-merge': ['doc/alias', 'yaml/hidden-key'],
  'type/unknown-variable': ['name/undeclared-reference'],
  'type/unknown-field': ['name/undeclared-field', 'type/no-fields'],
  'type/unknown-function': ['name/undeclared-function', 'type/wrong-argument-count', 'type/wrong-call-form'],
  'type/wrong-case': ['name/undeclared-field', 'name/undeclared-reference', 'name/undeclared-function'],
  'type/in-on-string': ['type/no-matching-overload'],
  'type/contains-on-map-or-list': ['type/no-matching-overload'],
  'type/header-value-is-list': ['type/no-matching-overload'],
  'type/operand-mismatch': ['type/no-matching-overload', 'type/mismatch'],
  'type/timestamp-duration-literal': ['type/invalid-constant'],
  'type/template-error': ['expression/unclosed-interpolation', 'expression/needless-interpolation'],
  'phase/http-variable-on-l4': ['endpoint/variable-unavailable'],
  'phase/http-action-on-l4': ['endpoint/action-unavailable', 'endpoint/phase-unavailable'],
  'logic/unreachable-after-terminating': ['policy/unreachable-action'],
  'header/name-invalid': ['config/bad-header-name'],
  'ip/invalid': ['config/bad-cidr'],
  'url/impossible-char': ['url/impossible-text'],
  'regex/dialect': ['regex/invalid-pattern', 'config/bad-pattern'],
  'regex/invalid': ['regex/invalid-pattern', 'config/bad-pattern'],
  'rate/out-of-range': ['config/out-of-range', 'config/bad-duration'],
};

/** Areas that contain only codes of the analysis. */
const ANALYSIS_AREAS: ReadonlySet<string> = new Set([
  ...['yaml', 'json', 'policy', 'config', 'name', 'syntax', 'endpoint', 'expression', 'limit', 'profile'],
]);

/** Codes of the analysis in areas that also contain lint rules. */
const SHARED_CODES: readonly string[] = [
  ...[
    'type/invalid-constant',
    'type/invalid-format',
    'type/map-key',
    'type/mismatch',
    'type/no-fields',
    'type/no-matching-overload',
  ],
  ...['type/non-boolean-expression', 'type/not-iterable', 'type/optional-syntax', 'type/unknown-type'],
  ...['type/wrong-argument-count', 'type/wrong-call-form', 'phase/variable-unavailable', 'phase/action-unavailable'],
  ...['phase/function-unavailable', 'phase/config-unavailable', 'regex/invalid-pattern', 'regex/too-many-groups'],
  ...['regex/unknown-group', 'regex/invalid-replacement', 'test/invalid', 'test/no-assertion'],
];

/** Errors of the analysis whose severity settings may lower: the service may know more than the catalog and accept such a policy. */
export const LOWERABLE: ReadonlySet<string> = new Set([
  ...['policy/unknown-action', 'policy/unreachable-action', 'config/unknown-key', 'config/bad-choice'],
  ...['name/undeclared-field', 'name/undeclared-reference', 'name/undeclared-function', 'type/no-matching-overload'],
]);
