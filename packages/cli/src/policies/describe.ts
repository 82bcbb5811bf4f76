// `tollgate describe`.

import type { Reporter } from '@tollgate/diagnostics';
import { type DescribedPolicy, jsonDescriptions, markdownDescriptions, textDescriptions } from '@tollgate/reports';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { loadPolicy, type PolicySettings, reportRefusal } from './load-policy.ts';

/** The options of `tollgate describe`. */
interface DescribeOptions extends PolicySettings {
  readonly format: 'text' | 'json' | 'markdown';
}

const REPORTERS: Readonly<Record<DescribeOptions['format'], Reporter<readonly DescribedPolicy[]>>> = {
  text: textDescriptions,
  json: jsonDescriptions,
  markdown: markdownDescriptions,
};

/** Prints what policies do, in words. The first policy with errors is reported as `tollgate check` does, and nothing is described. */
export async function describePolicies(
  names: readonly string[],
  options: DescribeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const described: DescribedPolicy[] = [];
  for (const name of names) {
    const loaded = await loadPolicy(name, options, terminal);
    if ('refused' in loaded) return reportRefusal(loaded, terminal, options.format);
    const { policy, embedded, target } = loaded;
    described.push({ policy, embedded, profile: target.profile, endpoint: policy.endpoint });
  }
  terminal.write(REPORTERS[options.format](described, reportStyle(terminal)));
  return EXIT.clean;
}
