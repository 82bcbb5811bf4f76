import { knownIds, type LintRule, type RuleSettings, ruleSettingsFaults } from '@tollgate/lint';
import { UsageError } from '../process/usage-error.ts';
import type { LintFilesOptions } from './session/lint-options.ts';

/** Parses the values of `--rule`. Throws a {@link UsageError} if one is invalid. */
export function ruleSettings(options: Pick<LintFilesOptions, 'rule'>, rules: readonly LintRule[]): RuleSettings {
  if (!options.rule) return {};
  const entries = options.rule.map(text => {
    const [id = '', severity] = text.split('=');
    if (severity === undefined) throw new UsageError(`\`--rule\` expects \`ID=SEVERITY\`, found \`${text}\``);
    return [id, severity] as const;
  });
  const settings = Object.fromEntries(entries);
  const [fault] = ruleSettingsFaults(settings, ['--rule'], knownIds(rules));
  if (fault) throw new UsageError(`\`--rule ${fault.path.slice(1).join('.')}\`: ${fault.message}`);
  return settings as RuleSettings;
}
