import type { ProfileSwitches } from '@tollgate/catalog';
import { formatOnOneLine } from './print-scalar.ts';
import { orderKeys } from './print-yaml.ts';
import type { PolicyRoles } from './roles.ts';
import type { SyntaxCollection, SyntaxNode, SyntaxScalar } from './syntax-tree.ts';

/** The context of printing JSON. */
interface JsonPrinting {
  readonly roles: PolicyRoles;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
}

/** The position of a value. */
interface JsonPosition {
  /** White space at the start of its line. */
  readonly pad: string;
  /** Column of the value. */
  readonly column: number;
}

/** Prints a JSON value: maps on several lines, lists of scalars on one line if they fit, expressions on one line. */
export function printJson(
  node: SyntaxNode,
  printing: JsonPrinting,
  place: JsonPosition = { pad: '', column: 0 },
): string {
  return print(node, place, printing);
}

function print(node: SyntaxNode, place: JsonPosition, printing: JsonPrinting): string {
  if (node.kind === 'alias') return 'null';
  if (node.kind === 'scalar') return printScalar(node, printing);
  const [open, close] = node.kind === 'map' ? ['{', '}'] : ['[', ']'];
  if (node.slots.length === 0) return open + close;
  const line = node.kind === 'list' ? listOnOneLine(node, printing) : undefined;
  if (line !== undefined && place.column + line.length <= printing.width) return line;
  const pad = `${place.pad}  `;
  const slots = orderKeys(node.slots, printing.roles.keysOf(node)).map(({ slot: { key, value } }) => {
    const start = pad + (key ? `${key.source}: ` : '');
    return start + (value ? print(value, { pad, column: start.length }, printing) : 'null');
  });
  return `${open}\n${slots.join(',\n')}\n${place.pad}${close}`;
}

function listOnOneLine({ slots }: SyntaxCollection, printing: JsonPrinting): string | undefined {
  const items: string[] = [];
  for (const { value } of slots) {
    if (value?.kind !== 'scalar') return undefined;
    items.push(printScalar(value, printing));
  }
  return `[${items.join(', ')}]`;
}

/** Keeps the source, including its escapes, unless the layout of its expressions changes. */
function printScalar(node: SyntaxScalar, { roles, interpolationEscape }: JsonPrinting): string {
  const text = node.style === 'double' ? formatOnOneLine(node.value, roles.of(node), interpolationEscape) : node.value;
  return text === node.value ? node.source : JSON.stringify(text);
}
