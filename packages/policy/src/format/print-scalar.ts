import { PARAMETER_PREFIX, type ProfileSwitches, REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import { createEnvironment, formatExpression, type ParseEnvironment, parse, unparse } from '@tollgate/cel';
import { skeletonOf } from '@tollgate/cel/tooling';
import { doubleQuoted, isAmbiguous, isUnprintable, oneLineString, type Quotes } from '../document/scalar-text.ts';
import { STAND_IN_VARIABLE } from '../embedded/placeholders.ts';
import { findInterpolations } from '../expressions/interpolation.ts';
import type { Role } from './roles.ts';
import type { SyntaxScalar } from './syntax-tree.ts';

/** The columns in which a value is printed. */
export interface PrintColumns {
  /** Indentation of the lines after the first. */
  readonly indentation: number;
  /** Column of the first line. */
  readonly column: number;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
  readonly layouts: KnownLayouts;
  readonly quotes: Quotes | undefined;
}

/** The rest of the first line, and the indented lines below. */
export interface PrintedValue {
  readonly first: string;
  readonly rest: readonly string[];
}

/** Prints a scalar in the style that fits its value best, with expressions formatted. One that a template engine may fill is printed as it is. */
export function printScalar(node: SyntaxScalar, role: Role, place: PrintColumns): PrintedValue {
  const properties = propertiesOf(node);
  const inside = properties === '' ? place : { ...place, column: place.column + properties.length + 1 };
  const { first, rest } = isFilledByTemplate(node)
    ? printUnchanged(node, place)
    : isText(node)
      ? printText(node, role, inside)
      : oneLine(node.source);
  return { first: [properties, first].filter(part => part !== '').join(' '), rest };
}

/** Returns the anchor and tag of a value, each followed by a space. */
export function propertiesOf({ anchor, tag }: { anchor: string | undefined; tag: string | undefined }): string {
  return [anchor === undefined ? '' : `&${anchor}`, tag ?? ''].filter(part => part !== '').join(' ');
}

/**
 * Roots of the variables of all profiles: what begins with another name in `${…}` is not evaluated by the edge, so something else must
 * replace it. They are written out, because the catalog loads the facts of a profile when a policy needs them.
 */
export const VARIABLE_ROOTS = ['actions', 'conn', 'endpoint', 'req', 'res', 'time', 'vars'] as const;

/** What precedes the dot in the names of functions of all profiles. Template languages have no such calls. */
export const FUNCTION_ROOTS = ['basic_auth', 'hash', 'json', 'queryString', 'rand', 'secrets', 'url'] as const;

/** `$args` and the like, which the edge replaces in URLs. */
const REPLACED = [...REPLACEMENT_VARIABLES.map(({ name }) => name), `${PARAMETER_PREFIX}\\w+`].join('|');

/** Placeholders of Terraform, `envsubst`, Go, Jinja and ERB, and the stand-ins for them. */
const PLACEHOLDER = new RegExp(
  `\\b${STAND_IN_VARIABLE}[.]|\\{\\{|\\{[%#]|%\\{|<%|\\$(?!(?:${REPLACED})\\b)[A-Za-z_]|\\$\\{(?!(?:${VARIABLE_ROOTS.join('|')})\\b|(?:${FUNCTION_ROOTS.join('|')})[.]\\w+[(])[A-Za-z_]\\w*(?:[}.[]|:?[-=?+])`,
);

/**
 * Returns true if a scalar has a placeholder. What replaces it may contain any character, which means something else in other quotes, in
 * none, or on another line, so the scalar must not change.
 */
export function isFilledByTemplate({ source }: SyntaxScalar): boolean {
  return PLACEHOLDER.test(source);
}

/** Prints a scalar with its style and line breaks; only the indentation of its lines follows that of the document. */
function printUnchanged({ style, source }: SyntaxScalar, { indentation }: PrintColumns): PrintedValue {
  const [first = '', ...lines] = source.replace(/\n+$/, '').split('\n');
  const isBlock = style === 'literal' || style === 'folded';
  const own = isBlock ? Math.min(...lines.filter(line => line.trim() !== '').map(line => line.search(/[^ ]/))) : 0;
  const pad = ' '.repeat(indentation);
  const rest = lines.map(line => {
    const text = isBlock ? line.slice(own) : line.trim();
    return text === '' ? '' : pad + text;
  });
  // With another indentation than written, the header would be wrong.
  return { first: isBlock ? first.replace(/\d/, String(INDENTATION)) : first, rest };
}

/** Prints a key, always on one line. */
export function printKey(key: SyntaxScalar, quotes: Quotes | undefined): string {
  const isKept = (key.style === 'plain' || isFilledByTemplate(key)) && !key.source.includes('\n');
  const text = isKept ? key.source : oneLineString(key.value, { quotes });
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
  const isLong = source.includes('\n') && place.column + oneLineString(value, place).length > place.width;
  const folded = isLong && (style === 'folded' || !value.includes('\n')) ? foldedBlock(value, available) : undefined;
  // Without a space to break at, a block would not shorten the line.
  if (folded?.lines.length === 1 && !value.includes('\n')) return oneLine(oneLineString(value, place));
  const block = folded ?? (value.includes('\n') ? literalBlock(value) : undefined);
  return block ? inBlock(block, place) : oneLine(oneLineString(value, place));
}

/** Prints an expression on one line if it fits, else as a folded block, or as a literal block if line breaks matter. */
function printExpression(value: string, place: PrintColumns): PrintedValue | undefined {
  const known = place.layouts.has(value) ? oneLineString(value, place) : undefined;
  if (known !== undefined && place.column + known.length <= place.width) return oneLine(known);
  const format = formatterOf(value);
  if (!format) return undefined;
  const flat = format();
  if (flat.text === value && !flat.keepsLines) place.layouts.add(value);
  const line = oneLineString(flat.text, place);
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

/** A string as a block scalar. */
interface BlockString {
  /** For example `>-`. */
  readonly header: string;
  /** Without indentation. */
  readonly lines: readonly string[];
}

/** Spaces of content beyond its parent's indentation. */
const INDENTATION = 2;

/** Writes a string as a literal block; undefined if that is impossible. */
function literalBlock(value: string): BlockString | undefined {
  // Trailing spaces would be read as empty lines, leading tabs as indentation.
  if (isUnprintable(value) || value.trim() === '' || /\n[ \t]+$/.test(value) || /^\n*\t/.test(value)) return undefined;
  const indicator = /^\n* /.test(value) ? String(INDENTATION) : '';
  return { header: `|${indicator}${chomping(value)}`, lines: linesOf(value) };
}

/** Writes a string as a folded block, broken at spaces to fit `width`; undefined if that is impossible. */
function foldedBlock(value: string, width: number): BlockString | undefined {
  const isFoldable = /^\S/.test(value) && !/\n[ \t]|[ \t](?:\n|$)/.test(value) && !isUnprintable(value);
  if (!isFoldable) return undefined;
  const ends = lineBreaksAtEnd(value);
  const [first = '', ...others] = value.slice(0, value.length - ends).split('\n');
  // A line break in the string becomes an empty line; each further one adds another.
  const lines = [...wrap(first, width), ...others.flatMap(line => ['', ...(line === '' ? [] : wrap(line, width))])];
  return { header: `>${chomping(value)}`, lines: [...lines, ...Array<string>(Math.max(0, ends - 1)).fill('')] };
}

function lineBreaksAtEnd(value: string): number {
  let start = value.length;
  while (value[start - 1] === '\n') start--;
  return value.length - start;
}

function chomping(value: string): string {
  if (!value.endsWith('\n')) return '-';
  return value.endsWith('\n\n') ? '+' : '';
}

function linesOf(value: string): readonly string[] {
  return (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
}

/** Only single spaces between visible characters can become line breaks. */
function wrap(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/**
 * Formats each expression in a string on one line, leaving the rest unchanged. Expressions with a syntax error, a
 * comment or a significant line break are unchanged too.
 */
function formatInterpolations(text: string, escapedAs: ProfileSwitches['interpolationEscape']): string {
  return replaceExpressions(text, escapedAs, expression => {
    const flat = formatterOf(expression)?.();
    if (!flat || flat.keepsLines || flat.text.includes('\n')) return expression;
    // A space before a map: `${{` is hard to read.
    return flat.text.startsWith('{') ? ` ${flat.text}` : flat.text;
  });
}

/** Formats the expressions of a string on as few lines as possible. */
export function formatOnOneLine(text: string, role: Role, escapedAs: ProfileSwitches['interpolationEscape']): string {
  if (role === 'filled') return formatInterpolations(text, escapedAs);
  return role === 'expression' ? (formatterOf(text)?.().text ?? text) : text;
}

/** Returns a form of the string that does not depend on the layout of its expressions. */
export function normalizedInterpolations(text: string, escapedAs: ProfileSwitches['interpolationEscape']): string {
  return replaceExpressions(text, escapedAs, normalized);
}

function replaceExpressions(
  text: string,
  escapedAs: ProfileSwitches['interpolationEscape'],
  replace: (expression: string) => string,
): string {
  let result = '';
  let at = 0;
  for (const { start, end } of findInterpolations(text, escapedAs).expressions) {
    result += text.slice(at, start) + replace(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

/** Without macros, the formatter needs no profile: macros parse as calls. */
const SYNTAX: ParseEnvironment = { ...createEnvironment({ libraries: [] }), macros: new Map() };

/** Returns a function that formats an expression, by default on one line; undefined if it has a syntax error. */
export function formatterOf(source: string): ((width?: number) => ReturnType<typeof formatExpression>) | undefined {
  const { ast, diagnostics } = parse(source, SYNTAX);
  if (diagnostics.length > 0) return undefined;
  return width => formatExpression(ast, width === undefined ? {} : { width });
}

/** Returns a form of the expression that does not depend on its layout; its source if it has a syntax error. */
export function normalized(source: string): string {
  const { ast, diagnostics } = parse(source, SYNTAX);
  return diagnostics.length > 0 ? source : unparse(ast);
}

/**
 * The expressions of a document that are formatted already. One that differs from them only in literals is so, too, which is seen without
 * parsing it: most expressions of long policies are alike, and most policies have been formatted before.
 */
export class KnownLayouts {
  readonly #skeletons = new Set<string>();

  /** Remembers an expression that formatting leaves as it is, on one line. */
  add(expression: string): void {
    const skeleton = plainSkeleton(expression);
    if (skeleton !== undefined) this.#skeletons.add(skeleton);
  }

  /** Returns true if formatting certainly leaves the expression as it is, on one line. */
  has(expression: string): boolean {
    const skeleton = plainSkeleton(expression);
    return skeleton !== undefined && this.#skeletons.has(skeleton);
  }
}

/** Longer ones may exceed a limit of the parser. */
const LONGEST = 1000;

/** Returns the expression without its literals; undefined if one of them may have to be written differently, or may be invalid. */
function plainSkeleton(expression: string): string | undefined {
  const skeleton = expression.length > LONGEST ? undefined : skeletonOf(expression);
  if (!skeleton) return undefined;
  const { literals } = skeleton;
  let shape = '';
  let at = 0;
  for (let index = 0; index < literals.length; index += 3) {
    const [start, end, kind] = [literals[index]!, literals[index + 1]!, literals[index + 2]!];
    if (!PLAIN_LITERAL.test(expression.slice(start, end))) return undefined;
    shape += expression.slice(at, start) + String.fromCharCode(kind);
    at = end;
  }
  return shape + expression.slice(at);
}

/** A string in single quotes without escapes, or a number that is certainly in range. */
const PLAIN_LITERAL = /^(?:'[ !#-&(-[\]-~]*'|[0-9]{1,15}(?:\.[0-9]{1,15})?)$/;
