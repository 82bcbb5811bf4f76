import type { ScalarNode } from '../document/model/document-node.ts';
import { isAmbiguous } from '../document/scalars/scalar-style.ts';
import type { ValueContext } from './value-context.ts';

/** Reports a string that is not what it looks like, or not to every YAML parser. */
export function reportStringTraps(node: ScalarNode, context: ValueContext): void {
  if (typeof node.value !== 'string') return;
  if (node.style === 'plain' && isAmbiguous(node.value) && !ALWAYS_STRING.test(node.value))
    reportAmbiguous(node, context);
  else if (isBlock(node) && !context.isBody && /^[^\n]*[^\s][^\n]*\n+$/.test(node.value))
    reportLineBreak(node, context);
}

/** YAML 1.1 lists them as booleans, but no widely used parser reads them as such. */
const ALWAYS_STRING = /^[yn]$/i;

function isBlock({ style }: ScalarNode): boolean {
  return style === 'literal' || style === 'folded';
}

function reportAmbiguous({ value, range }: ScalarNode, { what, document, reporter }: ValueContext): void {
  const edits = [{ range, newText: `'${document.slice(range.start, range.end)}'` }];
  reporter.report({
    code: 'yaml/ambiguous-text',
    severity: 'info',
    message: `${what} is the string \`${value}\`, which YAML 1.1 parsers read as another type; put quotes around it`,
    range,
    args: { text: String(value) },
    fixes: [{ title: 'put quotes around it', applicability: 'safe', edits }],
  });
}

/** Bodies often end with a line break, headers and URLs never do. */
function reportLineBreak({ range }: ScalarNode, { what, document, reporter }: ValueContext): void {
  const header = /^[|>][-+\d]*/.exec(document.slice(range.start, range.start + 3))?.[0] ?? '|';
  const marked = { start: range.start, end: range.start + header.length };
  const newText = `${header.replace(/[-+]/, '')}-`;
  reporter.report({
    code: 'yaml/trailing-line-break',
    severity: 'warning',
    message: `${what} ends with a line break; write \`${newText}\` to drop it`,
    range: marked,
    args: { header },
    fixes: [{ title: `change to \`${newText}\``, applicability: 'suggestion', edits: [{ range: marked, newText }] }],
  });
}

/** Reports a number whose value looks different from its source: `1.10`, `012`, `1e3`. */
export function reportNumberTrap(
  { value, range, style }: ScalarNode,
  { what, document, reporter }: ValueContext,
): void {
  const written = document.slice(range.start, range.end);
  // In JSON there is no other way to write a number; an alias refers to one written elsewhere.
  const isMeant = /\.json$/i.test(reporter.uri) || written.startsWith('*');
  if (typeof value !== 'number' || style !== 'plain' || written === String(value) || isMeant) return;
  const edits = [{ range, newText: `'${written}'` }];
  reporter.report({
    code: 'yaml/rewritten-number',
    severity: 'info',
    message: `${what} is the number ${value}; put quotes around it if you mean the string \`${written}\``,
    range,
    args: { written, value: String(value) },
    fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }],
  });
}
