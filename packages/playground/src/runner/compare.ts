// What holds for all requests: the difference of two policies, and invariants.

import { INVARIANTS_NAME } from '@tollgate/core/documents';
import { ANSI, type Diagnostic, ExternalError, type Report, type SourceText, textReport } from '@tollgate/diagnostics';
import {
  type InvariantLocation,
  type Policy,
  type Rule,
  rangeInFile,
  readInvariants,
  type WrittenInvariant,
} from '@tollgate/policy';
import { nameRange, proveInvariants, type ReportedProofs, textDiff, textProof } from '@tollgate/reports';
import { compareAcross, comparePolicies, PolicyProver } from '@tollgate/solver';
import type { DiffJob, JobResult, ProveJob } from '../jobs.ts';
import { type LoadedPolicy, loadPolicy } from '../project/load-policy.ts';
import { type LoadedProject, PROJECT_FILE, type ProjectFiles } from '../project/load-project.ts';

/** Returns how two policies differ. */
export function diffPolicies(before: LoadedPolicy, after: LoadedPolicy, job: DiffJob): JobResult {
  const [own, other] = [before, after].map(({ policy, target, environments }) => ({
    policy,
    context: { profile: target.profile, endpoint: policy.endpoint, environments },
  }));
  const isAcross = before.target.profile.name !== after.target.profile.name;
  if (!isAcross && before.policy.endpoint !== after.policy.endpoint)
    throw new ExternalError('usage/endpoint', 'the policies are for endpoints of different kinds');
  const comparison = isAcross ? compareAcross(own!, other!) : comparePolicies(own!.policy, other!.policy, own!.context);
  if (comparison === undefined) throw new ExternalError('usage/endpoint', 'the policies are not of the same kind');
  const { profile } = before.target;
  const policies = [
    { policy: before.policy, profile },
    { policy: after.policy, profile: after.target.profile },
  ] as const;
  const style = { paint: ANSI, width: job.width };
  const warnings = [before, after].flatMap(({ report }) =>
    report.diagnostics.length > 0 ? [`${textReport(report, style)}\n`] : [],
  );
  const report = {
    before: job.before,
    after: job.after,
    profile,
    endpoint: before.policy.endpoint,
    policies,
    comparison,
  };
  return { text: `${warnings.join('')}${textDiff(report, style)}`, isBad: false };
}

interface PlacedGroup {
  readonly path: string;
  readonly choice: Parameters<typeof loadPolicy>[2];
  readonly enabled: boolean | undefined;
  readonly invariants: readonly { readonly written: WrittenInvariant; readonly place: InvariantLocation }[];
}

/** Returns which invariants are proved: those of all files of invariants, and those of the settings. */
export function proveAll(files: ProjectFiles, project: LoadedProject, { width }: ProveJob): JobResult {
  const sources: SourceText[] = [];
  const diagnostics: Diagnostic[] = [];
  const groups = [...files.sources.values()].flatMap(source => {
    if (!INVARIANTS_NAME.test(source.uri)) return [];
    sources.push(source);
    const { value, root, diagnostics: found } = readInvariants(source);
    diagnostics.push(...found);
    if (value === undefined || root === undefined) return [];
    const invariants = value.invariants.map((written, at) => ({
      written,
      place: { source, root, path: ['invariants', at] },
    }));
    return [{ path: source.uri, choice: value, enabled: value.enabled, invariants }];
  });
  const proved = [...groups, ...ofProject(files, project)].map(group => {
    const one = proveGroup(files, project, group);
    sources.push(...one.report.sources);
    diagnostics.push(...one.report.diagnostics);
    return one.proofs;
  });
  if (proved.length === 0 && diagnostics.length === 0) {
    const where = '`policy.invariants.yaml`, or under `invariants` in `tollgate.yaml`';
    throw new ExternalError('file/none-found', `no invariants; write them in a file such as ${where}`);
  }
  const unique = [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()];
  const report = { sources: unique, diagnostics };
  return {
    text: textProof(proved, report, { paint: ANSI, width }),
    isBad: diagnostics.some(one => one.severity === 'error'),
  };
}

function ofProject({ sources }: ProjectFiles, project: LoadedProject): readonly PlacedGroup[] {
  const source = sources.get(PROJECT_FILE);
  const { invariants = [] } = project.value ?? {};
  const { root } = project;
  if (!source || !root || invariants.length === 0) return [];
  return [...sources.keys()].flatMap(path => {
    const meant = invariants.flatMap((written, at) =>
      project.matches(written.files, path) ? [{ written, place: { source, root, path: ['invariants', at] } }] : [],
    );
    return meant.length === 0
      ? []
      : [{ path: PROJECT_FILE, choice: { policy: path }, enabled: undefined, invariants: meant }];
  });
}

function proveGroup(
  files: ProjectFiles,
  project: LoadedProject,
  { path, choice, enabled, invariants }: PlacedGroup,
): { readonly proofs: ReportedProofs; readonly report: Report } {
  const loaded = loadPolicy(files, project, choice);
  const named = { path, policy: choice.policy };
  if ('refused' in loaded) return { proofs: { ...named, proved: [] }, report: loaded.refused };
  const { embedded, environments, target } = loaded;
  const policy: Policy = { ...loaded.policy, enabled: enabled ?? loaded.policy.enabled };
  const context = { profile: target.profile, endpoint: policy.endpoint, environments };
  const rules = target.profile.phases.flatMap(phase => policy.rules[phase]);
  const { proved, diagnostics } = proveInvariants(invariants, {
    about: { policy, ...context },
    prover: new PolicyProver(policy, context),
    rulesFor: () => rules,
    placeOf: (rule: Rule) => ({ uri: embedded.file.uri, range: rangeInFile(embedded, nameRange(rule)) }),
  });
  return { proofs: { ...named, proved }, report: { sources: [embedded.file], diagnostics } };
}
