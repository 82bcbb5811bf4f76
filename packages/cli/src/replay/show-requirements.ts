// `tollgate replay --requirements`.

import { jsonText } from '@tollgate/diagnostics';
import { neededInputs, textRequirements } from '@tollgate/reports';
import { policyRequirements } from '@tollgate/simulator';
import { recordingsOf } from '@tollgate/traffic';
import { loadPolicy, type PolicySettings, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';

/** The arguments and options of `tollgate replay --requirements`. */
export interface RequirementsArguments extends PolicySettings {
  readonly policy: string;
  readonly format?: readonly string[];
  readonly edge?: string;
}

/**
 * Shows which fields a recording must contain for the policy, and how servers record them. Reports a policy with errors as `tollgate check`
 * does.
 */
export async function showRequirements(args: RequirementsArguments, terminal: Terminal): Promise<ExitCode> {
  const [format = 'text', ...others] = args.format ?? [];
  if (others.length > 0 || (format !== 'text' && format !== 'json')) {
    throw new UsageError('`--requirements` supports only the formats `text` and `json`');
  }
  if (args.edge !== undefined) throw new UsageError('`--requirements` does not support `--edge`; pass a policy');
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal, format);
  const { policy, environments, target } = loaded;
  const rules = policyRequirements(policy, { profile: target.profile, environments });
  const inputs = neededInputs(rules);
  const recordings = recordingsOf([...new Set(inputs.flatMap(({ fields }) => fields))]);
  const report = { name: args.policy, endpoint: target.endpoint, profile: target.profile.name };
  if (format === 'json') terminal.write(`${jsonText({ ...report, inputs, rules, recordings }, 2)}\n`);
  else terminal.write(textRequirements({ ...report, inputs, recordings }, reportStyle(terminal)));
  return EXIT.clean;
}
