import { PROFILES } from '@tollgate/catalog';
import { lineStart, type TextEdit } from '@tollgate/diagnostics';

const PHASES = [...new Set(PROFILES.flatMap(({ phases }) => phases))].join('|');

/** A phase as a key of the outermost map, or inside one wrapper. */
const PHASE = new RegExp(
  `^[ \\t]{0,4}["']?(?:${PHASES})["']?[ \\t]*:|^[ \\t]*\\{[^{}]{0,80}["'](?:${PHASES})["']\\s*:`,
  'm',
);
const ACTIONS = /(?:^|[\s{,"'-])actions["']?\s*:/;
/** The start of a template of another tool. */
const TEMPLATE = /^[ \t]*\{\{|^[ \t]*\{%/m;

/**
 * Returns true if a plain YAML or JSON document is a policy beyond doubt. Documents with the language id of policies need not be; all
 * others are left to other tools unless they are.
 */
export function claimsPolicy(text: string): boolean {
  return PHASE.test(text) && ACTIONS.test(text) && !TEMPLATE.test(text);
}

/** Like {@link claimsPolicy}, for the result of an edit of a policy: only the edited lines can have become a template. */
export function stillClaimsPolicy(text: string, { range: { start }, newText }: TextEdit): boolean {
  const end = text.indexOf('\n', start + newText.length);
  const lines = text.slice(lineStart(text, start), end < 0 ? text.length : end);
  return PHASE.test(text) && ACTIONS.test(text) && !TEMPLATE.test(lines);
}
