import { mayRefuse } from '@tollgate/catalog';
import { preparePolicy } from '@tollgate/core/documents';
import { createTargeting } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, Report, SourceText } from '@tollgate/diagnostics';
import { findingsInFile, type Rule } from '@tollgate/policy';
import { exchangeText, PolicyProver, type SkippedRule } from '@tollgate/solver';
import { ruleText } from '../diff/diff-report.ts';
import { POLICIES_AND_TESTS } from '../input/find-inputs.ts';
import { findParts } from '../input/find-parts.ts';
import { type PolicySource, readPolicySources } from '../input/policy-sources.ts';
import type { Terminal } from '../process/terminal.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';

/** Reports every rule that refuses traffic and that an evaluation error can skip, with a request that shows it. */
export async function failOpenReport(
  names: readonly string[],
  { settings, carriers }: LoadedSettings,
  terminal: Terminal,
): Promise<Report> {
  const failures: ExternalError[] = [];
  const sources = new Map<string, SourceText>();
  const diagnostics: Diagnostic[] = [];
  const reading = { targetOf: createTargeting(settings), carriers, terminal };
  const inputs = await findParts(names, failures, POLICIES_AND_TESTS);
  for await (const text of readPolicySources(inputs, reading, failure => failures.push(failure))) {
    if (text.kind !== 'policy') continue;
    sources.set(text.embedded.file.uri, text.embedded.file);
    diagnostics.push(...findingsInFile(text.embedded, findingsIn(text)));
  }
  return { sources: [...sources.values()], diagnostics, failures };
}

/** A policy with errors is reported as `tollgate check` does. */
function findingsIn({ source, target, part }: PolicySource): readonly Diagnostic[] {
  const { runnable, diagnostics } = preparePolicy({ source, target, part });
  if (runnable === undefined) return diagnostics;
  const { policy, environments } = runnable;
  const prover = new PolicyProver(policy, { profile: target.profile, endpoint: policy.endpoint, environments });
  return prover.skippedRefusals(isRefusing).map(skipped => findingOf(skipped, source.uri));
}

/** Returns true for rules that keep traffic from the upstream or replace its answer by an error. */
function isRefusing({ actions }: Rule): boolean {
  return actions.some(({ type, fact, config }) => {
    if (type.value === 'deny' || type.value === 'close-connection') return true;
    const status = config.status_code;
    return mayRefuse({ fact }) || (type.value === 'custom-response' && typeof status === 'number' && status >= 400);
  });
}

function findingOf({ rule, proof }: SkippedRule, uri: string): Diagnostic {
  const range = rule.name?.range ?? rule.range;
  if (proof.kind === 'unknown') {
    const message = `it is not known whether an evaluation error can skip this rule: ${proof.reasons.join('; ')}`;
    return { code: 'prove/fail-open', severity: 'warning', message, uri, range, args: { rule: ruleText(rule) } };
  }
  const { exchange, decision } = proof;
  const passes = decision.upstream.isAsked === true ? 'and the request reaches the upstream' : 'and later rules decide';
  const message = `an evaluation error skips this rule, ${passes}: ${exchangeText(exchange)}`;
  return { code: 'prove/fail-open', severity: 'error', message, uri, range, args: { rule: ruleText(rule) } };
}
