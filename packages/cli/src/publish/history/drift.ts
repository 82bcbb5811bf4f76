import { type Paint, printable } from '@tollgate/diagnostics';
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
import { makePlan, type Planning } from '../planning/make-plan.ts';
import { changeLines } from '../planning/plan-lines.ts';

/** The options of `tollgate drift`. */
export interface DriftOptions {
  readonly target?: readonly string[];
  readonly format: 'text' | 'json';
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
  const differing = drifts.filter(({ modules }) => modules.length > 0);
  const isFinding = differing.some(({ accepted }) => accepted === undefined);
  terminal.write(
    options.format === 'json' ? json(drifts, isFinding) : text(differing, drifts.length, reportStyle(terminal).paint),
  );
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

function text(differing: readonly TargetDrift[], total: number, paint: Paint): string {
  const blocks = differing.map(({ target, modules, accepted }) => {
    const note = accepted ? `  (accepted until ${accepted.until}: ${printable(accepted.reason)})` : '';
    return [`${paint('strong', printable(target))}${note}`, ...modules.flatMap(one => moduleLines(one, paint))].join(
      '\n',
    );
  });
  const open = differing.filter(({ accepted }) => accepted === undefined).length;
  const accepted = differing.length > open ? `, ${differing.length - open} accepted` : '';
  const sum =
    differing.length === 0
      ? `no drift in ${total} ${total === 1 ? 'target' : 'targets'}`
      : `${open} of ${total} targets differ${accepted}`;
  return `${[...blocks, sum].join('\n\n')}\n`;
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
  return `${JSON.stringify({ version: 1, outcome: isFinding ? 'drift' : 'no drift', targets }, undefined, 2)}\n`;
}
