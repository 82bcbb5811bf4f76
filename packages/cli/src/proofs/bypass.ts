// `tollgate bypass`.

import { type Reporter, textReport } from '@tollgate/diagnostics';
import { type BypassReport, jsonBypasses, textBypasses } from '@tollgate/reports';
import { findBypasses, UPSTREAMS, type Upstream } from '@tollgate/solver';
import { loadSettings } from '../input/load-settings.ts';
import { loadPolicy, type PolicySettings, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';

/** The options of `tollgate bypass`. */
interface BypassArguments extends PolicySettings {
  readonly upstream?: readonly string[];
  readonly format: 'text' | 'json';
}

const REPORTERS: Readonly<Record<BypassArguments['format'], Reporter<BypassReport>>> = {
  text: textBypasses,
  json: jsonBypasses,
};

/** Looks for requests that bypass a policy and prints them. A policy with errors is reported as `tollgate check` does. */
export async function bypassPolicy(name: string, args: BypassArguments, terminal: Terminal): Promise<ExitCode> {
  const upstreams = await upstreamsFor(args, terminal);
  const loaded = await loadPolicy(name, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal, args.format);
  const { policy, target, environments, report } = loaded;
  const context = { profile: target.profile, endpoint: policy.endpoint, environments };
  if (!target.profile.variables.some(({ role, endpoints }) => role === 'path' && endpoints.includes(policy.endpoint))) {
    throw new UsageError(
      `policies for \`${policy.endpoint}\` do not see requests, so there is nothing to write differently`,
    );
  }
  // What a disabled policy would refuse once it is enabled.
  const findings = findBypasses({ ...policy, enabled: true }, upstreams, context);
  const style = reportStyle(terminal);
  if (args.format === 'text' && report.diagnostics.length > 0) terminal.write(`${textReport(report, style)}\n`);
  terminal.write(REPORTERS[args.format]({ policy: name, upstreams, findings }, style));
  return findings.bypasses.length === 0 ? EXIT.clean : EXIT.findings;
}

async function upstreamsFor({ upstream, env }: BypassArguments, terminal: Terminal): Promise<readonly Upstream[]> {
  const { project } = await loadSettings(env === undefined ? {} : { env }, terminal);
  const names = [...new Set(upstream ?? project?.value.upstreams ?? [])];
  const known = UPSTREAMS.map(one => `\`${one.name}\``).join(', ');
  if (names.length === 0) {
    throw new UsageError(
      `no upstream is named; choose one of ${known} with \`--upstream\`, or set \`upstreams\` in \`tollgate.yaml\``,
    );
  }
  return names.map(name => {
    const found = UPSTREAMS.find(one => one.name === name);
    if (found === undefined) throw new UsageError(`unknown upstream \`${name}\`; choose one of ${known}`);
    return found;
  });
}
