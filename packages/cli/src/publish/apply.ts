// `tollgate apply`: plans, asks the gates and the person, and publishes.

import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { EndpointKind } from '@tollgate/catalog';
import { ExternalError, fileProblem, PLAIN } from '@tollgate/diagnostics';
import {
  type Erasure,
  type PlannedTarget,
  readPlan,
  type StoredPlan,
  staleness,
  type TargetOutcome,
} from '@tollgate/publisher';
import { formatBounds, pluralize } from '@tollgate/reports';
import { requireReadable } from '../input/read-source.ts';
import { testPolicies } from '../policies/test-policies.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { openJournal, openKeyed } from './journal-file.ts';
import { makePlan, notesOn, type Planning, refuseBrokenPolicies } from './make-plan.ts';
import { impactsOf } from './plan-impact.ts';
import { outcomeReport, type PlanFormat, planReport } from './plan-report.ts';
import { chooseEnvironment, loadProject, type PublishProject } from './project.ts';
import { confirm, runChanges, settleEarlier } from './run-changes.ts';

/** The options of `tollgate apply`. */
interface ApplyCommandOptions {
  readonly yes?: true;
  readonly target?: readonly string[];
  readonly allowErase?: true;
  /** False with `--no-rollback`. */
  readonly rollback: boolean;
  readonly format: PlanFormat;
}

/** Publishes the targets that differ from the live configuration. */
export async function apply(
  names: readonly string[],
  options: ApplyCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { planFile, environment } = argumentsOf(names, options);
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const stored = planFile === undefined ? undefined : loadPlan(planFile, environment, project);
  const name = stored?.environment ?? environment;
  await settleEarlier(project, name, terminal);
  const only = stored?.targets.map(one => one.name) ?? options.target;
  const planning = await makePlan({ environment: name, only, keepsKey: true }, terminal);
  if (typeof planning === 'number') return planning;
  return await applyPlanning(planning, { ...options, stored }, terminal);
}

interface Applying extends ApplyCommandOptions {
  readonly stored: StoredPlan | undefined;
}

async function applyPlanning(planning: Planning, options: Applying, terminal: Terminal): Promise<ExitCode> {
  const { stored } = options;
  const stale = stored ? staleTargets(planning, stored) : [];
  const isStale = new Set(stale.map(one => one.target));
  const targets = planning.plan.targets.filter(({ target }) => !isStale.has(target.name));
  const current = { ...planning, plan: { targets } };
  if (stored === undefined) showPlan(current, terminal);
  if (!targets.some(({ isChanged }) => isChanged)) return nothingToDo(stale, options, terminal);
  const refused = refuseBrokenPolicies(current, terminal) ?? refuseErasure(targets, options, terminal);
  if (refused !== undefined) return refused;
  const failure = await gateFailure(current, terminal);
  if (failure !== undefined) return failure;
  const isAgreed =
    options.yes || stored !== undefined || (await confirm('Publish these changes?', '`--yes` or a plan', terminal));
  if (!isAgreed) {
    printMessage(terminal, 'nothing was written');
    return EXIT.findings;
  }
  const what = { command: 'apply', ...(stored && { plan: stored.id }) } as const;
  const { rollback: rollBack, format } = options;
  const histories = planning.live.records.map(planning.historyOf);
  return await runChanges({ ...planning, targets, what, histories, rollBack, format, refused: stale }, terminal);
}

function argumentsOf(
  names: readonly string[],
  { target }: ApplyCommandOptions,
): { readonly planFile: string | undefined; readonly environment: string | undefined } {
  const [first, second] = names;
  const planFile = second !== undefined || first?.endsWith('.json') ? first : undefined;
  if (planFile !== undefined && target)
    throw new UsageError('`--target` has no effect with a plan; make a plan of these targets');
  return { planFile, environment: planFile === undefined ? first : second };
}

function loadPlan(path: string, environment: string | undefined, project: PublishProject): StoredPlan {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = fileProblem(cause);
    throw new ExternalError('publish/plan', `cannot read \`${path}\`: ${reason}`, { cause });
  }
  const keyed = openKeyed(project, true);
  const plan = readPlan(text, keyed);
  if ('fault' in plan) throw new ExternalError('publish/plan', `\`${path}\` ${String(plan.fault)}`);
  const stored = plan as StoredPlan;
  if (environment !== undefined && environment !== stored.environment) {
    throw new UsageError(`\`${path}\` was made for the environment \`${stored.environment}\`, not \`${environment}\``);
  }
  const { settings } = chooseEnvironment(project, stored.environment);
  if (settings.url !== stored.url) {
    throw new ExternalError(
      'publish/plan',
      `\`${path}\` was made for ${stored.url}, but \`${stored.environment}\` is ${settings.url} now; plan again`,
    );
  }
  const used = openJournal(project, keyed).runs.find(({ begin }) => begin.plan === stored.id);
  if (used)
    throw new ExternalError('publish/plan', `\`${path}\` was applied already, by run ${used.number}; plan again`);
  return stored;
}

function staleTargets({ plan, keyed }: Planning, stored: StoredPlan): readonly TargetOutcome[] {
  return plan.targets.flatMap(planned => {
    const { name } = planned.target;
    const reason = staleness(planned, stored.targets.find(one => one.name === name)!, keyed);
    return reason === undefined
      ? []
      : [{ target: name, state: 'conflict' as const, reason: `${reason}; plan again`, modules: [] }];
  });
}

function showPlan(planning: Planning, terminal: Terminal): void {
  terminal.writeError(planReport({ ...planning, impacts: new Map(), notes: notesOn(planning) }, PLAIN));
}

function nothingToDo(stale: readonly TargetOutcome[], { format }: Applying, terminal: Terminal): ExitCode {
  const outcome = stale.length > 0 ? 'failed' : 'applied';
  terminal.write(outcomeReport(format, { command: 'apply', outcome, targets: stale, hasTags: undefined }));
  return stale.length > 0 ? EXIT.findings : EXIT.clean;
}

function refuseErasure(
  targets: readonly PlannedTarget[],
  { allowErase, stored }: Applying,
  terminal: Terminal,
): ExitCode | undefined {
  if (allowErase || stored?.allowErase) return undefined;
  const erasing = targets.filter(({ target, erasure }) => erasure && !target.allowErase);
  for (const { target, erasure } of erasing)
    for (const reason of erasureReasons(erasure!))
      printMessage(terminal, `target \`${target.name}\` would ${reason}, or pass \`--allow-erase\``);
  return erasing.length > 0 ? EXIT.findings : undefined;
}

/** Returns what a target would lose, each with what to do instead of consenting. */
function erasureReasons({ unknown, many }: Erasure): readonly string[] {
  const names = unknown.map(({ phase, index, name }) => (name === '' ? `${phase} ${index + 1}` : `\`${name}\``));
  const lost = `lose live rules that neither its file nor the last apply contains: ${names.join(', ')}; add them to the file`;
  const few = many && `lose ${many.removed} of ${pluralize(many.of, 'live rule')}; check the file`;
  return [...(unknown.length > 0 ? [lost] : []), ...(few === undefined ? [] : [few])];
}

/** Runs the checks that must pass before anything is written. Returns the exit code of the first that fails, after its report. */
async function gateFailure(planning: Planning, terminal: Terminal): Promise<ExitCode | undefined> {
  for (const gate of [lintGate, testsGate, impactGate]) {
    const failure = await gate(planning, terminal);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Lints the files of the targets that change, with the lint settings of the project. */
async function lintGate({ plan, files, project }: Planning, terminal: Terminal): Promise<ExitCode | undefined> {
  const severity = project.publish.gates?.lint ?? 'error';
  if (severity === 'off') return undefined;
  const byEndpoint = new Map<EndpointKind, Set<string>>();
  for (const { target, isChanged } of plan.targets) {
    const file = isChanged ? files.get(target.name) : undefined;
    const { endpoint } = file?.analyse().target ?? {};
    const argument = target.modules.find(({ source }) => source)?.source?.path;
    if (endpoint === undefined || argument === undefined) continue;
    const paths = byEndpoint.get(endpoint) ?? new Set();
    byEndpoint.set(endpoint, paths.add(relative('.', resolve(project.directory, argument))));
  }
  // Loaded on demand: the bundle keeps the linter in a file of its own.
  const { lintFiles } = await import('../lint/lint-files.ts');
  for (const [endpoint, paths] of byEndpoint) {
    const run = (quiet: Terminal) => lintFiles([...paths], { endpoint, failOn: severity }, quiet);
    const failure = await silentlyUnlessFailing('lint', run, terminal);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function testsGate({ project }: Planning, terminal: Terminal): Promise<ExitCode | undefined> {
  const names = project.publish.gates?.tests?.map(name => relative('.', resolve(project.directory, name)) || '.');
  if (names === undefined || names.length === 0) return undefined;
  for (const name of names) requireReadable(name, { repositoryOf: project.directory }, terminal);
  return await silentlyUnlessFailing('tests', quiet => testPolicies(names, {}, quiet), terminal);
}

async function impactGate(planning: Planning, terminal: Terminal): Promise<ExitCode | undefined> {
  const budget = planning.project.publish.gates?.impact;
  if (!budget) return undefined;
  const { directory } = planning.project;
  const traffic = budget.traffic.map(name => resolve(directory, name));
  for (const path of traffic) requireReadable(path, { repositoryOf: directory }, terminal);
  const impacts = await impactsOf(planning, traffic, terminal);
  // What may change counts, because the recording does not show that it does not.
  const over = [...impacts].filter(
    ([, { changed, exchanges }]) => (100 * changed.most) / exchanges > budget.maxChanged,
  );
  for (const [name, { changed, exchanges }] of over) {
    const percent = ((100 * changed.most) / exchanges).toFixed(1);
    printMessage(
      terminal,
      `gate \`impact\`: target \`${name}\` changes ${formatBounds(changed)} of ${exchanges} decisions (${percent} %), but \`maxChanged\` allows ${budget.maxChanged} %`,
    );
  }
  return over.length > 0 ? EXIT.findings : undefined;
}

async function silentlyUnlessFailing(
  name: string,
  run: (terminal: Terminal) => Promise<ExitCode>,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const code = await run({ ...terminal, write, writeError: write });
  if (code === EXIT.clean) return undefined;
  terminal.writeError(text);
  printMessage(terminal, `gate \`${name}\` failed; nothing was written`);
  return code;
}
