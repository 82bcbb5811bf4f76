import type { ProfileSwitches } from '@tollgate/catalog';
import { doubleQuoted, isAmbiguous, isUnprintable, textOnOneLine } from '../../document/scalars/scalar-style.ts';
import type { Role } from '../roles/role.ts';
import type { SyntaxScalar } from '../syntax/syntax-tree.ts';
import { type BlockText, foldedBlock, literalBlock } from './block-string.ts';
import { layOut } from './format-expression.ts';
import { layOutFilled } from './interpolated-string.ts';

/** Where a value is printed, in columns. */
export interface PrintPlace {
  /** Of the lines below the first. */
  readonly indentation: number;
  /** Where the first line begins. */
  readonly column: number;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
}

/** What stands behind the key or dash, and the lines below with their indentation. */
export interface PrintedValue {
  readonly first: string;
  readonly rest: readonly string[];
}

/** A scalar in the style that fits its value best; expressions laid out. */
export function printScalar(node: SyntaxScalar, role: Role, place: PrintPlace): PrintedValue {
  const properties = propertiesOf(node);
  const inside = properties === '' ? place : { ...place, column: place.column + properties.length + 1 };
  const { first, rest } = isText(node) ? printText(node, role, inside) : oneLine(node.source);
  return { first: [properties, first].filter(part => part !== '').join(' '), rest };
}

/** The anchor and the tag of a value. */
export function propertiesOf({ anchor, tag }: { anchor: string | undefined; tag: string | undefined }): string {
  return [anchor === undefined ? '' : `&${anchor}`, tag ?? ''].filter(part => part !== '').join(' ');
}

/** A key, which always stands on one line. */
export function printKey(key: SyntaxScalar): string {
  const text = key.style === 'plain' && !key.source.includes('\n') ? key.source : textOnOneLine(key.value);
  return [propertiesOf(key), text].filter(part => part !== '').join(' ');
}

/** Whether the value is a text, and was not made one, or something else, by how it was written. */
function isText(node: SyntaxScalar): boolean {
  if (node.tag !== undefined && !node.source.includes('\n')) return false;
  return node.style !== 'plain' || !isAmbiguous(node.value);
}

function printText(node: SyntaxScalar, role: Role, place: PrintPlace): PrintedValue {
  const { style, source, tag } = node;
  const value = role === 'filled' ? layOutFilled(node.value, place.interpolationEscape) : node.value;
  if (tag !== undefined) return oneLine(doubleQuoted(value));
  const expression = role === 'expression' ? printExpression(value, place) : undefined;
  if (expression) return expression;
  const available = place.width - place.indentation;
  const isLong = source.includes('\n') && place.column + textOnOneLine(value).length > place.width;
  const folded = isLong && (style === 'folded' || !value.includes('\n')) ? foldedBlock(value, available) : undefined;
  // Without a space to break at, a block would only move the text.
  if (folded?.lines.length === 1 && !value.includes('\n')) return oneLine(textOnOneLine(value));
  const block = folded ?? (value.includes('\n') ? literalBlock(value) : undefined);
  return block ? inBlock(block, place) : oneLine(textOnOneLine(value));
}

/** On one line where that fits; else in a folded block, whose line breaks become spaces, unless they must be kept. */
function printExpression(value: string, place: PrintPlace): PrintedValue | undefined {
  const flat = layOut(value);
  if (!flat) return undefined;
  const line = textOnOneLine(flat.text);
  if (isUnprintable(flat.text)) return oneLine(line);
  const isOneLine = !flat.text.includes('\n');
  if (isOneLine && place.column + line.length <= place.width) return oneLine(line);
  const { text } = layOut(value, place.width - place.indentation)!;
  const lines = text.split('\n');
  if (lines.length === 1) return oneLine(line);
  return inBlock({ header: flat.keepsLines ? '|-' : '>-', lines }, place);
}

function inBlock({ header, lines }: BlockText, { indentation }: PrintPlace): PrintedValue {
  const pad = ' '.repeat(indentation);
  return { first: header, rest: lines.map(line => (line === '' ? '' : pad + line)) };
}

function oneLine(first: string): PrintedValue {
  return { first, rest: [] };
}
