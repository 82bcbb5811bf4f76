import { type Paint, printable } from '@tollgate/diagnostics';
import { type DoctorFact, type DoctorReport, problemsOf } from './doctor-report.ts';

/** Returns the report for a terminal. */
export function textDoctor(report: DoctorReport, paint: Paint): string {
  const parts = report.sections.map(({ name, facts }) => {
    const width = Math.max(...facts.map(fact => fact.name.length));
    return [paint('strong', name), ...facts.flatMap(fact => linesOf(fact, width, paint))].join('\n');
  });
  const count = problemsOf(report).length;
  const summary = count === 0 ? 'no problems' : `${count} ${count === 1 ? 'problem' : 'problems'}`;
  return `${[...parts, paint('strong', summary)].join('\n\n')}\n`;
}

function linesOf({ name, value, from, problem }: DoctorFact, width: number, paint: Paint): readonly string[] {
  const origin = from === undefined ? '' : paint('frame', `  (${printable(from)})`);
  const line = `  ${name.padEnd(width)}  ${printable(value)}${origin}`;
  return problem === undefined ? [line] : [line, `  ${' '.repeat(width)}  ${paint('error', printable(problem))}`];
}
