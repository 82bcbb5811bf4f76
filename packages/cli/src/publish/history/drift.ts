import { jsonText, type Paint, PLAIN, printable } from '@tollgate/diagnostics';
import {
  type Canonical,
  type Change,
  isSame,
  lastApplied,
  MODULE_NOUNS,
  type ModuleName,
  moduleChanges,
  sealModule,
} from '@tollgate/publisher';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { reportStyle, type Terminal } from '../../process/terminal.ts';
import { pluralize } from '../../text/format-count.ts';
import { makePlan, type Planning } from '../planning/make-plan.ts';
import { changeLines } from '../planning/plan-lines.ts';
import { diffBlock, type PlanFormat } from '../planning/plan-report.ts';

/** The options of `tollgate drift`. */
export interface DriftOptions {
  readonly target?: readonly string[];
  readonly format: PlanFormat;
}

/** How a live module differs. */
interface ModuleDrift {
  readonly module: ModuleName;
  /** Since it was last applied; undefined if it never was. */
  readonly sinceApplied: readonly Change[] | undefined;
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

function driftsOf({ plan, project, keyed, journal, environment }: Planning, today: string): readonly TargetDrift[] {
  const last = lastApplied(
    journal.runs.filter(({ begin }) => begin.keyId === keyed.keyId),
    environment.name,
  );
  return plan.targets.map(({ target, modules }) => {
    const accepted = project.publish.targets?.[target.name]?.acceptedDrift;
    const found = modules.map(({ module, live, changes }) => {
      const applied = last(target.name, module);
      const sealed = sealModule(module, live, keyed);
      const sinceApplied = applied === undefined ? undefined : changesBetween(module, applied, sealed);
      return { module, sinceApplied, fromFiles: changes };
    });
    return {
      target: target.name,
      modules: found.filter(({ sinceApplied = [], fromFiles }) => sinceApplied.length + fromFiles.length > 0),
      accepted: accepted && accepted.until >= today ? accepted : undefined,
    };
  });
}

function changesBetween(module: ModuleName, before: Canonical, after: Canonical): readonly Change[] {
  return isSame(before, after) ? [] : moduleChanges(module, before, after);
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

function moduleLines({ module, sinceApplied, fromFiles }: ModuleDrift, paint: Paint): readonly string[] {
  const noun = MODULE_NOUNS[module];
  const lines = (changes: readonly Change[]) => changes.flatMap(change => changeLines(change, undefined, paint));
  if (sinceApplied === undefined) return [`  ${noun}: never applied; to match the file:`, ...lines(fromFiles)];
  const since =
    sinceApplied.length > 0 ? [`  ${noun}: changed since it was last applied:`, ...lines(sinceApplied)] : [];
  const from = fromFiles.length > 0 ? [`  ${noun}: to match the file:`, ...lines(fromFiles)] : [];
  return [...since, ...from];
}

function json(drifts: readonly TargetDrift[], isFinding: boolean): string {
  const targets = drifts.map(({ target, modules, accepted }) => ({ target, accepted: accepted ?? null, modules }));
  return `${jsonText({ version: 1, outcome: isFinding ? 'drift' : 'no drift', targets }, 2)}\n`;
}
