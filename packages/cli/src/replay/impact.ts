// `tollgate impact`.

import type { TableImpactOptions } from '@tollgate/query';
import {
  checkLimits,
  type ImpactLimits,
  type ImpactResult,
  isTableEngine,
  pluralize,
  ruleNames,
  textImpact,
} from '@tollgate/reports';
import {
  type ComparedPolicy,
  decisionValuesOf,
  type Guard,
  type ImpactOptions,
  impact,
  readTrafficCondition,
} from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import { nothingReadIn, unreadFiles } from '../input/unread-files.ts';
import { outputsOf } from '../output/deliver-report.ts';
import { type LoadedPolicy, loadPolicy, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, exitOfFailures, stoppable, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { loadOldPolicy, type OldPolicyArguments } from '../publish/old-policy.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { chooseEngine, impactOnTableOf, STOPPED, StoppedReplay, stoppedOr } from './choose-engine.ts';
import type { Following } from './follow.ts';
import { IMPACT_FORMATS, type ImpactFormat } from './impact-options.ts';
import { openProgress } from './progress.ts';
import { type EngineOptions, type FollowOptions, threadsRemark } from './replay-options.ts';
import { type ReplayArguments, replayOptions } from './replay-traffic.ts';

/** The arguments and options of `tollgate impact`. */
interface ImpactArguments
  extends OldPolicyArguments,
    ImpactLimits,
    TrafficInputs,
    EngineOptions,
    FollowOptions,
    Pick<ReplayArguments, 'origin' | 'now' | 'seed' | 'geoip' | 'top' | 'progress'> {
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly output?: string;
  readonly allowEmpty?: boolean;
  /** A table that changed rows are written to. */
  readonly into?: string;
  /** To one that exists. */
  readonly append?: boolean;
}

/** Reports how a change of a policy changes what happens to recorded traffic. Policies with errors are reported, and not run. */
export async function impactOfPolicies(given: ImpactArguments, terminal: Terminal): Promise<ExitCode> {
  // A recording that is followed may be empty yet, and its totals are said instead of the progress.
  const args = given.follow ? { ...given, allowEmpty: true, progress: false } : given;
  const outputs = outputsOf(args, IMPACT_FORMATS);
  const following = args.follow ? await openFollowing(args, outputs, terminal) : undefined;
  const refusalFormat = outputs.some(({ format }) => format === 'json') ? 'json' : 'text';
  const becomes = await loadPolicy(args.new, args, terminal);
  if ('refused' in becomes) return reportRefusal(becomes, terminal, refusalFormat);
  const was = await loadOldPolicy(args, becomes, terminal);
  if (typeof was === 'number') return was;
  if ('refused' in was) return reportRefusal(was, terminal, refusalFormat);
  const guard = guardOf(args, { was, becomes });
  const decided = await decide({ was, becomes }, { args, terminal, guard, following }).catch(stoppedOr);
  if (decided === undefined) {
    printMessage(terminal, STOPPED);
    return EXIT.interrupted;
  }
  const { summary, engine } = decided;
  const isCertain = summary.changed.least === summary.changed.most;
  const unread = isCertain || isTableEngine(engine.name) ? [] : await unreadFiles(args.files, args.traffic);
  const result: ImpactResult = {
    old: args.old,
    new: args.new,
    profile: becomes.target.profile.name,
    endpoint: becomes.policy.endpoint,
    engine,
    report: { sources: becomes.report.sources, diagnostics: becomes.report.diagnostics },
    summary,
    rules: [namesOf(was), namesOf(becomes)],
    limits: checkLimits(summary, args),
    unread,
  };
  following?.finish();
  const exit = await finish(result, { args, terminal, outputs });
  return following?.hasStopped && exit === EXIT.clean ? EXIT.findings : exit;
}

async function openFollowing(
  args: ImpactArguments,
  outputs: ReturnType<typeof outputsOf<ImpactFormat>>,
  terminal: Terminal,
): Promise<Following> {
  const isText = outputs.every(({ format, file }) => file !== undefined || format === 'text');
  return new (await import('./follow.ts')).Following(args, { figures: 'changes', isText }, terminal);
}

interface Comparing {
  readonly args: ImpactArguments;
  readonly terminal: Terminal;
  readonly guard: Guard | undefined;
  readonly following: Following | undefined;
}

type Decided = Pick<ImpactResult, 'summary' | 'engine'>;

async function decide({ was, becomes }: Pair, { args, terminal, guard, following }: Comparing): Promise<Decided> {
  const compared = (one: LoadedPolicy) => ({ policy: one.policy, options: replayOptions(args, optionsOf(one)) });
  const progress = await openProgress(args, terminal);
  const given = {
    reader: FILE_READER,
    ...(args.geoip && { geoip: args.geoip }),
    top: args.top,
    ...(guard && { guard }),
    watch: { read: (exchanges: number) => void progress?.replayed(exchanges) },
  };
  try {
    const { engine, files } = args;
    const policies = [compared(was), compared(becomes)] as const;
    if (engine !== undefined && isTableEngine(engine)) {
      const into = intoOf(args, { was, becomes });
      const summary = await impactOnTableOf(policies, { ...given, into }, { ...args, engine, terminal });
      const { written } = summary;
      if (written !== undefined)
        printMessage(terminal, `${pluralize(written.rows, 'row')} written to \`${written.table}\``);
      for (const table of written?.dropped ?? [])
        printMessage(terminal, `dropped \`${table}\`, which a command that was killed had left`);
      return { summary, engine: { name: engine } };
    }
    const traffic = { ...args.traffic, ...(progress && { onBytes: (bytes: number) => progress.read(bytes) }) };
    const options = { ...given, files, traffic };
    if (following !== undefined) return { summary: await following.impact(policies, options), engine: { name: 'js' } };
    const wanted = engine ?? (await chooseEngine(files, traffic));
    const found = wanted === 'duckdb' ? await impactWithDuckdb(policies, options, args) : undefined;
    if (found?.kind === 'replayed') return { summary: found.summary, engine: { name: 'duckdb' } };
    if (found?.kind === 'stopped') throw new StoppedReplay();
    if (found !== undefined && engine !== undefined) printMessage(terminal, `deciding without DuckDB: ${found.reason}`);
    const remark = threadsRemark(args);
    if (remark !== undefined) printMessage(terminal, remark);
    const reason = found && { reason: found.reason };
    return { summary: await impact(...policies, options), engine: { name: 'js', ...reason } };
  } finally {
    progress?.clear();
  }
}

async function impactWithDuckdb(
  [was, becomes]: readonly [ComparedPolicy, ComparedPolicy],
  options: ImpactOptions,
  { threads }: EngineOptions,
) {
  const { impactOnDuckdb } = await import('@tollgate/query');
  return stoppable(stop =>
    impactOnDuckdb(was, becomes, { ...options, watch: { ...options.watch, stop } }, { threads }),
  );
}

function optionsOf({ target: { profile }, environments }: LoadedPolicy) {
  return { profile, environments };
}

function namesOf({ policy, target }: LoadedPolicy) {
  return ruleNames(policy, target.profile);
}

/** Returns where changed rows are written; undefined if nowhere. */
function intoOf({ into, append = false }: ImpactArguments, { was, becomes }: Pair): TableImpactOptions['into'] {
  if (into === undefined) return undefined;
  const labels = (one: LoadedPolicy) => namesOf(one).map(({ label }) => label);
  return { table: into, isAppending: append, now: Date.now(), ruleNames: [labels(was), labels(becomes)] };
}

interface Pair {
  readonly was: LoadedPolicy;
  readonly becomes: LoadedPolicy;
}

/** Compiles `--never-touch`. Throws a {@link UsageError} if an expression has errors. */
function guardOf(args: ImpactArguments, { was, becomes }: Pair): Guard | undefined {
  const { neverTouch = [] } = args;
  if (neverTouch.length === 0) return undefined;
  const { target, environments, policy } = becomes;
  const { assumptions, now } = replayOptions(args, optionsOf(becomes));
  const scope = {
    profile: target.profile,
    environments,
    endpoint: policy.endpoint,
    decisions: ['was', 'becomes'],
    ...(assumptions && { assumptions }),
    ...(now !== undefined && { now }),
  };
  const conditions = neverTouch.map(expression => {
    const read = readTrafficCondition(expression, scope);
    if ('holds' in read) return read.holds;
    throw new UsageError(`--never-touch \`${expression}\`: ${read.diagnostics[0]?.message}`);
  });
  const wasValues = decisionValuesOf(was.policy, was.target.profile, 'was');
  const becomesValues = decisionValuesOf(policy, target.profile, 'becomes');
  return (exchange, before, after) => {
    const decisions = { was: wasValues(exchange, before), becomes: becomesValues(exchange, after) };
    const answers = conditions.map(holds => holds(exchange, decisions));
    return answers.includes(true) || (answers.includes(undefined) ? undefined : false);
  };
}

interface Finishing {
  readonly args: ImpactArguments;
  readonly terminal: Terminal;
  readonly outputs: ReturnType<typeof outputsOf<ImpactFormat>>;
}

async function finish(result: ImpactResult, { args, terminal, outputs }: Finishing): Promise<ExitCode> {
  const { files, exchanges, skipped } = result.summary;
  const failures = files.flatMap(({ failure }) => failure ?? []);
  for (const { message } of failures) printMessage(terminal, message);
  if (exchanges === 0 && failures.length === 0 && !args.allowEmpty) {
    const count = skipped.reduce((sum, one) => sum + one.count, 0);
    const read = { files: files.map(({ file }) => file), skipped: count, example: skipped[0]?.first[0] };
    throw await nothingReadIn(read, args.traffic);
  }
  const unwritten = [];
  for (const { format, file } of outputs) {
    const text = (await reporterOf(format))(result, file === undefined ? reportStyle(terminal) : {});
    if (file === undefined) terminal.write(text);
    else unwritten.push(await replaceFile(file, text));
  }
  const failed = unwritten.filter(one => one !== undefined);
  for (const { message } of failed) printMessage(terminal, message);
  const exceeded = result.limits.filter(one => one.isExceeded);
  for (const { option, message } of exceeded) printMessage(terminal, `\`${option}\`: ${message}`);
  if (failures.length > 0) return EXIT.external;
  if (failed.length > 0) return exitOfFailures(failed);
  return exceeded.length > 0 ? EXIT.findings : EXIT.clean;
}

/** Loads all reporters but the one for terminals on demand. */
async function reporterOf(format: ImpactFormat) {
  if (format === 'json') return (await import('@tollgate/reports/json')).jsonImpact;
  if (format === 'markdown') return (await import('@tollgate/reports/markdown')).markdownImpact;
  if (format === 'html') return (await import('@tollgate/reports/html')).htmlImpact;
  return textImpact;
}
