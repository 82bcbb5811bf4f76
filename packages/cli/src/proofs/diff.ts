// `tollgate diff`.

import { type Reporter, textReport } from '@tollgate/diagnostics';
import { type DiffReport, jsonDiff, markdownDiff, textDiff } from '@tollgate/reports';
import { compareAcross, comparePolicies, type PolicyComparison } from '@tollgate/solver';
import { type LoadedPolicy, loadPolicy, type PolicySettings, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { loadOldPolicy } from '../publish/old-policy.ts';

/** The arguments and options of `tollgate diff`. */
interface DiffArguments extends PolicySettings {
  /** A file, `git:REV` or `live:TARGET`. */
  readonly before: string;
  readonly after: string;
  /** The environment of a live target. */
  readonly environment?: string;
  readonly format: 'text' | 'json' | 'markdown';
}

const REPORTERS: Readonly<Record<DiffArguments['format'], Reporter<DiffReport>>> = {
  text: textDiff,
  json: jsonDiff,
  markdown: markdownDiff,
};

/** Compares two policies and prints the report. A policy with errors is reported as `tollgate check` does, and not compared. */
export async function diffPolicies(args: DiffArguments, terminal: Terminal): Promise<ExitCode> {
  if (args.before === '-' && args.after === '-') throw new UsageError('standard input cannot be both policies');
  const after = await loadPolicy(args.after, args, terminal);
  if ('refused' in after) return reportRefusal(after, terminal, args.format);
  const before = await loadOldPolicy({ ...args, old: args.before, new: args.after }, after, terminal);
  if (typeof before === 'number') return before;
  if ('refused' in before) return reportRefusal(before, terminal, args.format);
  const { profile } = before.target;
  const { endpoint } = before.policy;
  const comparison = compare(before, after);
  if (comparison === undefined) {
    throw new UsageError(
      `the policies are not of the same kind: found ${kindOf(before)} and ${kindOf(after)}; choose one with \`--profile\` and \`--endpoint\``,
    );
  }
  const policies = [
    { policy: before.policy, profile },
    { policy: after.policy, profile: after.target.profile },
  ] as const;
  const style = reportStyle(terminal);
  for (const { report } of [before, after]) {
    if (args.format === 'text' && report.diagnostics.length > 0) terminal.write(`${textReport(report, style)}\n`);
  }
  terminal.write(
    REPORTERS[args.format]({ before: args.before, after: args.after, profile, endpoint, policies, comparison }, style),
  );
  return comparison.verdict === 'same' ? EXIT.clean : EXIT.findings;
}

/** Returns the difference; undefined for policies that cannot be compared. */
function compare(before: LoadedPolicy, after: LoadedPolicy): PolicyComparison | undefined {
  const [own, other] = [before, after].map(({ policy, target, environments }) => ({
    policy,
    context: { profile: target.profile, endpoint: policy.endpoint, environments },
  }));
  if (own!.context.profile.name !== other!.context.profile.name) return compareAcross(own!, other!);
  if (own!.context.endpoint !== other!.context.endpoint) return undefined;
  return comparePolicies(own!.policy, other!.policy, own!.context);
}

function kindOf({ target, policy }: LoadedPolicy): string {
  return `\`${target.profile.name}\` for \`${policy.endpoint}\``;
}
