import type { ScalarNode } from '../document/model/document-node.ts';
import { isAmbiguous } from '../document/scalars/scalar-style.ts';
import type { ValueContext } from './value-context.ts';

/** Tells of a text that is not what it looks like, or not to every reader of YAML. */
export function reportTextTraps(node: ScalarNode, context: ValueContext): void {
  if (typeof node.value !== 'string') return;
  if (node.style === 'plain' && isAmbiguous(node.value) && !ALWAYS_TEXT.test(node.value))
    reportAmbiguous(node, context);
  else if (isBlock(node) && !context.isBody && /^[^\n]*[^\s][^\n]*\n+$/.test(node.value))
    reportLineBreak(node, context);
}

/** YAML 1.1 names them, and no parser of note takes them for truth values. */
const ALWAYS_TEXT = /^[yn]$/i;

function isBlock({ style }: ScalarNode): boolean {
  return style === 'literal' || style === 'folded';
}

function reportAmbiguous({ value, range }: ScalarNode, { what, document, reporter }: ValueContext): void {
  const edits = [{ range, newText: `'${document.slice(range.start, range.end)}'` }];
  reporter.report({
    code: 'yaml/ambiguous-text',
    severity: 'info',
    message: `${what} is the text \`${value}\`, which readers of YAML 1.1 take for something else; put quotes around it`,
    range,
    args: { text: String(value) },
    fixes: [{ title: 'put quotes around it', applicability: 'safe', edits }],
  });
}

/** Bodies may well end with one; a header or a URL may not. */
function reportLineBreak({ range }: ScalarNode, { what, document, reporter }: ValueContext): void {
  const header = /^[|>][-+\d]*/.exec(document.slice(range.start, range.start + 3))?.[0] ?? '|';
  const marked = { start: range.start, end: range.start + header.length };
  const newText = `${header.replace(/[-+]/, '')}-`;
  reporter.report({
    code: 'yaml/trailing-line-break',
    severity: 'warning',
    message: `${what} ends with a line break; \`${newText}\` leaves it out`,
    range: marked,
    args: { header },
    fixes: [{ title: `change to \`${newText}\``, applicability: 'suggestion', edits: [{ range: marked, newText }] }],
  });
}

/** Tells of a number that comes out of the document otherwise than it is written: `1.10`, `012`, `1e3`. */
export function reportNumberTrap(
  { value, range, style }: ScalarNode,
  { what, document, reporter }: ValueContext,
): void {
  const written = document.slice(range.start, range.end);
  // In JSON it can be nothing else; behind an alias it stands elsewhere.
  const isMeant = /\.json$/i.test(reporter.uri) || written.startsWith('*');
  if (typeof value !== 'number' || style !== 'plain' || written === String(value) || isMeant) return;
  const edits = [{ range, newText: `'${written}'` }];
  reporter.report({
    code: 'yaml/rewritten-number',
    severity: 'info',
    message: `${what} is the number ${value}; if the text \`${written}\` is meant, put quotes around it`,
    range,
    args: { written, value: String(value) },
    fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }],
  });
}
