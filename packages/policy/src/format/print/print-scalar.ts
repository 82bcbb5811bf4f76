import type { ProfileSwitches } from '@tollgate/catalog';
import { doubleQuoted, isAmbiguous, isUnprintable, oneLineString } from '../../document/scalars/scalar-style.ts';
import type { Role } from '../roles/role.ts';
import type { SyntaxScalar } from '../syntax/syntax-tree.ts';
import { type BlockString, foldedBlock, literalBlock } from './block-string.ts';
import { formatterOf } from './format-expression.ts';
import { formatInterpolations } from './interpolated-string.ts';
import type { KnownLayouts } from './known-layouts.ts';

/** The columns in which a value is printed. */
export interface PrintColumns {
  /** Indentation of the lines after the first. */
  readonly indentation: number;
  /** Column of the first line. */
  readonly column: number;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
  readonly layouts: KnownLayouts;
}

/** The rest of the first line, and the indented lines below. */
export interface PrintedValue {
  readonly first: string;
  readonly rest: readonly string[];
}

/** Prints a scalar in the style that fits its value best, with expressions formatted. */
export function printScalar(node: SyntaxScalar, role: Role, place: PrintColumns): PrintedValue {
  const properties = propertiesOf(node);
  const inside = properties === '' ? place : { ...place, column: place.column + properties.length + 1 };
  const { first, rest } = isText(node) ? printText(node, role, inside) : oneLine(node.source);
  return { first: [properties, first].filter(part => part !== '').join(' '), rest };
}

/** Returns the anchor and tag of a value, each followed by a space. */
export function propertiesOf({ anchor, tag }: { anchor: string | undefined; tag: string | undefined }): string {
  return [anchor === undefined ? '' : `&${anchor}`, tag ?? ''].filter(part => part !== '').join(' ');
}

/** Prints a key, always on one line. */
export function printKey(key: SyntaxScalar): string {
  const text = key.style === 'plain' && !key.source.includes('\n') ? key.source : oneLineString(key.value);
  return [propertiesOf(key), text].filter(part => part !== '').join(' ');
}

/** Returns true if the value is a string whatever its style and tag. */
function isText(node: SyntaxScalar): boolean {
  if (node.tag !== undefined && !node.source.includes('\n')) return false;
  return node.style !== 'plain' || !isAmbiguous(node.value);
}

function printText(node: SyntaxScalar, role: Role, place: PrintColumns): PrintedValue {
  const { style, source, tag } = node;
  const value = role === 'filled' ? formatInterpolations(node.value, place.interpolationEscape) : node.value;
  if (tag !== undefined) return oneLine(doubleQuoted(value));
  const expression = role === 'expression' ? printExpression(value, place) : undefined;
  if (expression) return expression;
  const available = place.width - place.indentation;
  const isLong = source.includes('\n') && place.column + oneLineString(value).length > place.width;
  const folded = isLong && (style === 'folded' || !value.includes('\n')) ? foldedBlock(value, available) : undefined;
  // Without a space to break at, a block would not shorten the line.
  if (folded?.lines.length === 1 && !value.includes('\n')) return oneLine(oneLineString(value));
  const block = folded ?? (value.includes('\n') ? literalBlock(value) : undefined);
  return block ? inBlock(block, place) : oneLine(oneLineString(value));
}

/** Prints an expression on one line if it fits, else as a folded block, or as a literal block if line breaks matter. */
function printExpression(value: string, place: PrintColumns): PrintedValue | undefined {
  const known = place.layouts.has(value) ? oneLineString(value) : undefined;
  if (known !== undefined && place.column + known.length <= place.width) return oneLine(known);
  const format = formatterOf(value);
  if (!format) return undefined;
  const flat = format();
  if (flat.text === value && !flat.keepsLines) place.layouts.add(value);
  const line = oneLineString(flat.text);
  if (isUnprintable(flat.text)) return oneLine(line);
  const isOneLine = !flat.text.includes('\n');
  if (isOneLine && place.column + line.length <= place.width) return oneLine(line);
  const { text } = format(place.width - place.indentation);
  const lines = text.split('\n');
  if (lines.length === 1) return oneLine(line);
  return inBlock({ header: flat.keepsLines ? '|-' : '>-', lines }, place);
}

function inBlock({ header, lines }: BlockString, { indentation }: PrintColumns): PrintedValue {
  const pad = ' '.repeat(indentation);
  return { first: header, rest: lines.map(line => (line === '' ? '' : pad + line)) };
}

function oneLine(first: string): PrintedValue {
  return { first, rest: [] };
}
