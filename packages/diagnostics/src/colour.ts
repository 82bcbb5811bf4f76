/** The role of a part of a report, which determines its colour. */
export type Style = 'error' | 'warning' | 'info' | 'hint' | 'frame' | 'strong' | 'faint';

/** Adds colour to text, or returns it unchanged. */
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

/** Returns text unchanged. */
export const PLAIN: Paint = (_, text) => text;

/** Colours text with ANSI escape sequences. */
export const ANSI: Paint = (style, text) => (text === '' ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`);

/**
 * Chooses by the first of these environment variables that is set: `FORCE_COLOR`, `NO_COLOR`, `CLICOLOR_FORCE`,
 * `CLICOLOR`, `TERM`. If none is, colours only terminals.
 */
export function choosePaint(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const { FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return ['0', 'false'].includes(FORCE_COLOR) ? PLAIN : ANSI;
  if (isGiven(NO_COLOR)) return PLAIN;
  if (isGiven(CLICOLOR_FORCE) && CLICOLOR_FORCE !== '0') return ANSI;
  if (CLICOLOR === '0' || TERM === 'dumb') return PLAIN;
  return isTerminal ? ANSI : PLAIN;
}

/** An empty variable counts as unset. */
function isGiven(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '';
}
