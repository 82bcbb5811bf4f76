import { LogFormatError, type LogVariable, type ParsedFormat } from './log-variable.ts';

/** A log format as the sequence of segments that a line is split into. */
export interface Layout {
  /** The prefix of each line. */
  readonly prefix: string;
  readonly stretches: readonly Stretch[];
}

/** A segment of a line between two literal parts of the format: one variable, or two that can be separated. */
export interface Stretch {
  readonly variable: LogVariable;
  /** A second variable in the same segment. It starts at the first `mark`, or is missing. */
  readonly second?: { readonly variable: LogVariable; readonly mark: string } | undefined;
  /** The literal that follows it; empty at the end of the line. */
  readonly after: string;
}

/** Returns the layout of a format. Throws a {@link LogFormatError} if its lines cannot be split. */
export function layoutOf({ parts }: ParsedFormat): Layout {
  const [first] = parts;
  const stretches: Stretch[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      const last = stretches.pop();
      if (last !== undefined) stretches.push({ ...last, after: last.after + part.text });
    } else addVariable(part, stretches);
  }
  if (stretches.length === 0) throw new LogFormatError('expected a log format with at least one variable');
  return { prefix: first?.kind === 'text' ? first.text : '', stretches };
}

function addVariable(variable: LogVariable, stretches: Stretch[]): void {
  const last = stretches.at(-1);
  if (last === undefined || last.after !== '' || isFixed(last.variable)) {
    stretches.push({ variable, after: '' });
    return;
  }
  const mark = last.second === undefined ? markBetween(last.variable, variable) : undefined;
  if (mark === undefined) {
    const [one, two] = [last.second?.variable.written ?? last.variable.written, variable.written];
    throw new LogFormatError(`\`${one}\` and \`${two}\` have no separator between them, so lines cannot be split`);
  }
  stretches[stretches.length - 1] = { ...last, second: { variable, mark } };
}

function isFixed({ shape }: LogVariable): boolean {
  return shape === 'log-time' || shape === 'bracketed-time';
}

/** A host ends where the path begins, and a path where the query does. */
function markBetween(one: LogVariable, two: LogVariable): string | undefined {
  const isHost =
    one.slot === 'host-name' || one.header?.name.toLowerCase() === 'host' || /server_name|%v/.test(one.written);
  const isTarget =
    two.slot === 'target' || two.slot === 'decoded-path' || /^\$\{?(?:uri|document_uri)\}?$/.test(two.written);
  if (isHost && isTarget) return '/';
  const isPath = one.slot === 'decoded-path' || /^\$\{?(?:uri|document_uri)\}?$/.test(one.written);
  return isPath && (two.slot === 'query' || /^\$\{?is_args\}?$/.test(two.written)) ? '?' : undefined;
}
