import type { ConfigField, ConfigType } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import { type Fault, type ParsedSettings, PROJECT_FIELDS, readSettings, shapeFaults } from '@tollgate/policy';
import type { LintRule } from '../rule-api/lint-rule.ts';
import { type KnownIds, knownIds } from './known-ids.ts';
import { type LintSettings, SETTING_SEVERITIES } from './resolve-rules.ts';

const SEVERITY = { kind: 'choice', values: SETTING_SEVERITIES } as const satisfies ConfigType;

interface ProjectWithLint {
  readonly lint?: LintSettings;
}

/**
 * Reads the `lint` section of a project file. Reports unknown lint rules and options; if `rules` is undefined, checks only the structure.
 */
export function readLintSettings(
  source: SourceText,
  rules: readonly LintRule[] | undefined,
): ParsedSettings<LintSettings> {
  const meaning = ({ lint = {} }: ProjectWithLint) => (rules ? lintFaults(lint, knownIds(rules)) : []);
  const { value, ...reading } = readSettings<ProjectWithLint>(source, PROJECT_FIELDS, meaning);
  return { value: value && (value.lint ?? {}), ...reading };
}

function lintFaults({ rules = {}, overrides = [] }: LintSettings, known: KnownIds): readonly Fault[] {
  return [
    ...ruleSettingsFaults(rules, ['lint', 'rules'], known),
    ...overrides.flatMap((one, index) => ruleSettingsFaults(one.rules, ['lint', 'overrides', index, 'rules'], known)),
  ];
}

/** Returns the faults in settings of lint rules, with their paths. */
export function ruleSettingsFaults(
  rules: Readonly<Record<string, unknown>>,
  path: Fault['path'],
  known: KnownIds,
): readonly Fault[] {
  return Object.entries(rules).flatMap(([id, setting]) => {
    const at = [...path, id];
    if (!known.isKnown(id)) {
      const message = `unknown lint rule \`${id}\`${known.hint(id)}`;
      return [{ code: 'settings/unknown-name', path: at, ofKey: true, message }];
    }
    return typeof setting === 'object' && setting !== null
      ? shapeFaults(setting, fieldsOf(known.rule(id)), at)
      : severityFaults(setting, at);
  });
}

function fieldsOf(rule: LintRule | undefined): readonly ConfigField[] {
  return [{ name: 'severity', type: SEVERITY, doc: 'Severity of the findings.' }, ...(rule?.options ?? [])];
}

function severityFaults(setting: unknown, path: Fault['path']): readonly Fault[] {
  const field = path.at(-1) as string;
  const faults = shapeFaults({ [field]: setting }, [{ name: field, type: SEVERITY, doc: '', required: true }]);
  return faults.map(({ message }) => ({ path, message }));
}
