/** What a piece of a report is, for colouring. */
export type Style = 'error' | 'warning' | 'info' | 'hint' | 'frame' | 'strong' | 'faint';

/** Wraps text in what makes it coloured, or leaves it. */
export type Paint = (style: Style, text: string) => string;

const CODES: Readonly<Record<Style, string>> = {
  error: '1;31',
  warning: '1;33',
  info: '1;36',
  hint: '1;32',
  frame: '34',
  strong: '1',
  faint: '2',
};

/** Leaves text as it is. */
export const PLAIN: Paint = (_, text) => text;

/** Colours text by ANSI escape sequences. */
export const ANSI: Paint = (style, text) => (text === '' ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`);

/**
 * Chooses by the usual variables of the environment, the first that says something: `FORCE_COLOR`, `NO_COLOR`, `CLICOLOR_FORCE`,
 * `CLICOLOR`, `TERM`. Where none does, by whether a terminal reads along.
 */
export function choosePaint(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const { FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return ['0', 'false'].includes(FORCE_COLOR) ? PLAIN : ANSI;
  if (isGiven(NO_COLOR)) return PLAIN;
  if (isGiven(CLICOLOR_FORCE) && CLICOLOR_FORCE !== '0') return ANSI;
  if (CLICOLOR === '0' || TERM === 'dumb') return PLAIN;
  return isTerminal ? ANSI : PLAIN;
}

/** An empty variable says nothing. */
function isGiven(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '';
}
