// `tollgate drift`: what has changed since the last publication.

import { jsonText, type Paint, PLAIN, printable } from '@tollgate/diagnostics';
import {
  type Canonical,
  type Change,
  isSame,
  type LastApplied,
  lastApplied,
  MODULE_NOUNS,
  type ModuleName,
  maskSealed,
  moduleChanges,
  recordKey,
  sealModule,
} from '@tollgate/publisher';
import { pluralize } from '@tollgate/reports';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { makePlan, type Planning } from './make-plan.ts';
import { changeLines, diffBlock, type PlanFormat } from './plan-report.ts';

/** The options of `tollgate drift`. */
interface DriftOptions {
  readonly target?: readonly string[];
  readonly format: PlanFormat;
}

/** How a live module differs. */
interface ModuleDrift {
  readonly module: ModuleName;
  /** Since it was last applied; undefined if it never was. */
  readonly sinceApplied: readonly Change[] | undefined;
  /** What cannot be said about the time since it was last applied. */
  readonly unknown: string | undefined;
  /** From the files. */
  readonly fromFiles: readonly Change[];
}

interface TargetDrift {
  readonly target: string;
  readonly modules: readonly ModuleDrift[];
  readonly accepted: { readonly reason: string; readonly until: string } | undefined;
}

/** Compares live modules with what was last applied and with the files. Cannot write. */
export async function drift(
  environment: string | undefined,
  options: DriftOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const planning = await makePlan({ environment, only: options.target, keepsKey: false }, terminal);
  if (typeof planning === 'number') return planning;
  const drifts = driftsOf(planning, new Date().toISOString().slice(0, 10));
  const isFinding = drifts.some(one => one.modules.length > 0 && isOpen(one));
  terminal.write(shownAs(options.format, drifts, terminal));
  return isFinding ? EXIT.findings : EXIT.clean;
}

function driftsOf({ plan, project, keyed, live, historyOf }: Planning, today: string): readonly TargetDrift[] {
  const records = new Map(live.records.map(record => [recordKey(record.ref), record]));
  return plan.targets.map(({ target, ref, modules }) => {
    const history = historyOf(records.get(recordKey(ref))!);
    const accepted = project.publish.targets?.[target.name]?.acceptedDrift;
    const found = modules.map(({ module, live, changes }) => {
      // Lists show no policy where only `/traffic_policy` can represent it; the plan has read it.
      const record = { ...history.record, modules: { ...history.record.modules, [module]: live } };
      const applied = lastApplied({ ...history, record }, module, keyed);
      return { module, ...sinceApplied(applied, module, sealModule(module, live, keyed)), fromFiles: changes };
    });
    return {
      target: target.name,
      modules: found.filter(
        ({ sinceApplied = [], unknown, fromFiles }) =>
          sinceApplied.length + fromFiles.length > 0 || unknown !== undefined,
      ),
      accepted: accepted && accepted.until >= today ? accepted : undefined,
    };
  });
}

function sinceApplied(
  applied: LastApplied | undefined,
  module: ModuleName,
  live: Canonical,
): Pick<ModuleDrift, 'sinceApplied' | 'unknown'> {
  if (applied === undefined) return { sinceApplied: undefined, unknown: undefined };
  const { sealed, isLive, isHidden, run } = applied;
  if (isLive) return { sinceApplied: [], unknown: undefined };
  if (sealed === undefined && isHidden) {
    const unknown = `not compared with what ${run.who} applied: its secrets were sealed with another history key`;
    return { sinceApplied: [], unknown };
  }
  // Too large to be kept at the edge.
  if (sealed === undefined) {
    const change = { kind: 'value', path: module, before: `(as ${run.who} applied it)`, after: '(changed)' } as const;
    return { sinceApplied: [change], unknown: undefined };
  }
  if (!isHidden) return { sinceApplied: moduleChanges(module, sealed, live), unknown: undefined };
  const [was, is] = [maskSealed(sealed), maskSealed(live)];
  if (!isSame(was, is)) return { sinceApplied: moduleChanges(module, was, is), unknown: undefined };
  const unknown = 'its secrets are not compared: they were sealed with another history key; set `TOLLGATE_HISTORY_KEY`';
  return { sinceApplied: [], unknown };
}

function shownAs(format: PlanFormat, drifts: readonly TargetDrift[], terminal: Terminal): string {
  const differing = drifts.filter(({ modules }) => modules.length > 0);
  if (format === 'json') return json(drifts, differing.some(isOpen));
  const paint = format === 'markdown' ? PLAIN : reportStyle(terminal).paint;
  const blocks = differing.map(({ target, modules, accepted }) => {
    const note = accepted ? `(accepted until ${accepted.until}: ${printable(accepted.reason)})` : '';
    const lines = modules.flatMap(one => moduleLines(one, paint));
    if (format === 'markdown') return diffBlock(`${target} ${note}`.trimEnd(), lines);
    return [`${paint('strong', printable(target))}  ${note}`.trimEnd(), ...lines].join('\n');
  });
  return `${[...blocks, summaryOf(differing, drifts.length)].join('\n\n')}\n`;
}

function summaryOf(differing: readonly TargetDrift[], total: number): string {
  const all = pluralize(total, 'target');
  if (differing.length === 0) return `no drift in ${all}`;
  const open = differing.filter(isOpen).length;
  const accepted = differing.length > open ? `, ${differing.length - open} accepted` : '';
  return `${open} of ${all} ${open === 1 || total === 1 ? 'differs' : 'differ'}${accepted}`;
}

function isOpen({ accepted }: TargetDrift): boolean {
  return accepted === undefined;
}

function moduleLines({ module, sinceApplied, unknown, fromFiles }: ModuleDrift, paint: Paint): readonly string[] {
  const noun = MODULE_NOUNS[module];
  const lines = (changes: readonly Change[]) => changes.flatMap(change => changeLines(change, undefined, paint));
  if (sinceApplied === undefined) return [`  ${noun}: never applied; to match the file:`, ...lines(fromFiles)];
  const since =
    sinceApplied.length > 0 ? [`  ${noun}: changed since it was last applied:`, ...lines(sinceApplied)] : [];
  const from = fromFiles.length > 0 ? [`  ${noun}: to match the file:`, ...lines(fromFiles)] : [];
  return [...since, ...(unknown === undefined ? [] : [`  ${noun}: ${printable(unknown)}`]), ...from];
}

function json(drifts: readonly TargetDrift[], isFinding: boolean): string {
  const targets = drifts.map(({ target, modules, accepted }) => ({ target, accepted: accepted ?? null, modules }));
  return `${jsonText({ version: 1, outcome: isFinding ? 'drift' : 'no drift', targets }, 2)}\n`;
}
