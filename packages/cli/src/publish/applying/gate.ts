import { relative, resolve } from 'node:path';
import type { EndpointKind } from '@tollgate/catalog';
import { requireReadable } from '../../input/read-source.ts';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import { testPolicies } from '../../testing/test-policies.ts';
import { formatBounds } from '../../text/format-count.ts';
import { impactsOf } from '../planning/impacts-of.ts';
import type { Planning } from '../planning/make-plan.ts';

/** Runs the checks that must pass before anything is written. Returns the exit code of the first that fails, after its report. */
export async function gateFailure(planning: Planning, terminal: Terminal): Promise<ExitCode | undefined> {
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
  const { lintFiles } = await import('../../lint/lint-files.ts');
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
