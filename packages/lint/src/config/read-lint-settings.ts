import type { ConfigField, ConfigType } from '@tollgate/catalog';
import type { SourceText } from '@tollgate/diagnostics';
import { type Fault, readSettings, type SettingsReading, shapeFaults } from '@tollgate/policy';
import type { LintRule } from '../rule/lint-rule.ts';
import { type KnownIds, knownIds } from './known-ids.ts';
import { type LintSettings, PRESETS, SETTING_SEVERITIES } from './lint-settings.ts';

const NAMES = { kind: 'list', of: { kind: 'string', nonEmpty: true } } as const satisfies ConfigType;
const SEVERITY = { kind: 'choice', values: SETTING_SEVERITIES } as const satisfies ConfigType;
const RULES = { kind: 'map', value: { kind: 'any' } } as const satisfies ConfigType;

/** The keys of the section `lint` of a project file. */
export const LINT_FIELDS: readonly ConfigField[] = [
  {
    name: 'extends',
    type: { kind: 'list', of: { kind: 'choice', values: PRESETS } },
    doc: 'The presets that lint rules are taken from.',
  },
  { name: 'rules', type: RULES, doc: 'By id: `error`, `warning`, `info`, `hint`, `off`, `on`, or options.' },
  {
    name: 'overrides',
    type: {
      kind: 'list',
      of: {
        kind: 'object',
        fields: [
          { name: 'files', type: NAMES, required: true, doc: 'Patterns of files, relative to this file.' },
          { name: 'rules', type: RULES, required: true, doc: 'As above, for these files.' },
        ],
      },
    },
    doc: 'Settings for some files; later ones win.',
  },
  { name: 'load', type: NAMES, doc: 'Modules with lint rules, relative to this file.' },
  { name: 'ignore', type: NAMES, doc: 'Patterns of files that are not linted, relative to this file.' },
];

/** Only what has to be known before lint rules are loaded: the modules that the section `lint` names. */
export function readLoadedModules(source: SourceText): SettingsReading<readonly string[]> {
  const { value, diagnostics } = readSettings<{ readonly lint?: LintSettings | null }>(source, document =>
    sectionFaults(document, section => shapeFaults(section, LINT_FIELDS, ['lint'])),
  );
  return { value: value?.lint?.load ?? (value ? [] : undefined), diagnostics };
}

/** Reads the section `lint` of a project file. Names that are no lint rules and options that these do not have are reported. */
export function readLintSettings(source: SourceText, rules: readonly LintRule[]): SettingsReading<LintSettings> {
  const { value, diagnostics } = readSettings<{ readonly lint?: LintSettings | null }>(source, document =>
    sectionFaults(document, section => lintFaults(section, knownIds(rules))),
  );
  return { value: value && (value.lint ?? {}), diagnostics };
}

function sectionFaults(document: unknown, check: (section: unknown) => readonly Fault[]): readonly Fault[] {
  if (typeof document !== 'object' || document === null || !('lint' in document)) return [];
  return document.lint === null ? [] : check(document.lint);
}

function lintFaults(section: unknown, known: KnownIds): readonly Fault[] {
  const shape = shapeFaults(section, LINT_FIELDS, ['lint']);
  if (shape.length > 0) return shape;
  const { rules = {}, overrides = [] } = section as LintSettings;
  return [
    ...rulesFaults(rules, ['lint', 'rules'], known),
    ...overrides.flatMap((one, index) => rulesFaults(one.rules, ['lint', 'overrides', index, 'rules'], known)),
  ];
}

/** What is wrong with settings of lint rules, at its path. */
export function rulesFaults(
  rules: Readonly<Record<string, unknown>>,
  path: Fault['path'],
  known: KnownIds,
): readonly Fault[] {
  return Object.entries(rules).flatMap(([id, setting]) => {
    const at = [...path, id];
    if (!known.isKnown(id)) return [{ path: at, message: `there is no lint rule \`${id}\`${known.hint(id)}` }];
    return typeof setting === 'object' && setting !== null
      ? shapeFaults(setting, fieldsOf(known.rule(id)), at)
      : severityFaults(setting, at);
  });
}

function fieldsOf(rule: LintRule | undefined): readonly ConfigField[] {
  return [{ name: 'severity', type: SEVERITY, doc: 'How grave it is.' }, ...(rule?.options ?? [])];
}

function severityFaults(setting: unknown, path: Fault['path']): readonly Fault[] {
  const field = path.at(-1) as string;
  const faults = shapeFaults({ [field]: setting }, [{ name: field, type: SEVERITY, doc: '', required: true }]);
  return faults.map(({ message }) => ({ path, message }));
}
