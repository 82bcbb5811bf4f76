import type { Expr, Literal } from '@tollgate/cel';

/** What is written after each node: its kind, or its type and reference. */
interface Adorner {
  readonly expr: (expr: Expr) => string;
  /** After an entry of a map or a field of a message. */
  readonly entry: string;
}

/** The kinds of nodes under the names of the reference implementation. */
export const KIND_ADORNER: Adorner = {
  expr: expr => `^#*expr.${expr.kind === 'literal' ? LITERAL_KINDS[expr.literal.type] : EXPR_KINDS[expr.kind]}#`,
  entry: '^#*expr.Expr_CreateStruct_Entry#',
};

const LITERAL_KINDS: Readonly<Record<Literal['type'], string>> = {
  null: 'Constant_NullValue',
  bool: 'Constant_BoolValue',
  int: 'Constant_Int64Value',
  uint: 'Constant_Uint64Value',
  double: 'Constant_DoubleValue',
  string: 'Constant_StringValue',
  bytes: 'Constant_BytesValue',
};

const EXPR_KINDS: Readonly<Record<Exclude<Expr['kind'], 'literal'>, string>> = {
  ident: 'Expr_IdentExpr',
  select: 'Expr_SelectExpr',
  call: 'Expr_CallExpr',
  list: 'Expr_ListExpr',
  map: 'Expr_StructExpr',
  struct: 'Expr_StructExpr',
  comprehension: 'Expr_ComprehensionExpr',
  error: 'Expr_Error',
};

/** Returns the tree in the debug format of the reference implementation, which the suites contain. */
export function toDebugString(expr: Expr, adorner: Adorner): string {
  return new Writer(adorner).write(expr, '');
}

class Writer {
  private readonly adorner: Adorner;

  constructor(adorner: Adorner) {
    this.adorner = adorner;
  }

  /** Returns a node on a line indented by `indent`. */
  write(expr: Expr, indent: string): string {
    return this.content(expr, indent) + this.adorner.expr(expr);
  }

  private content(expr: Expr, indent: string): string {
    switch (expr.kind) {
      case 'literal':
        return formatLiteral(expr.literal);
      case 'ident':
        return expr.name;
      case 'error':
        return '<error>';
      case 'select':
        return `${this.write(expr.operand, indent)}.${expr.field}${expr.testOnly ? '~test-only~' : ''}`;
      case 'call': {
        const target = expr.target === undefined ? '' : `${this.write(expr.target, indent)}.`;
        return `${target}${expr.function}(${this.lines(indent, expr.args, arg => this.write(arg, `${indent}  `))})`;
      }
      case 'list':
        // The format does not show which elements are optional.
        return `[${this.lines(indent, expr.elements, element => this.write(element, `${indent}  `))}]`;

      default:
        return this.structured(expr, indent);
    }
  }

  private structured(expr: Extract<Expr, { kind: 'map' | 'struct' | 'comprehension' }>, indent: string): string {
    const inner = `${indent}  `;
    if (expr.kind === 'comprehension') return this.comprehension(expr, indent);
    const { entry } = this.adorner;
    if (expr.kind === 'map') {
      return `{${this.lines(indent, expr.entries, ({ key, value, optional }) => {
        return `${optional ? '?' : ''}${this.write(key, inner)}:${this.write(value, inner)}${entry}`;
      })}}`;
    }
    return `${expr.typeName}{${this.lines(indent, expr.fields, ({ field, value, optional }) => {
      return `${optional ? '?' : ''}${field}:${this.write(value, inner)}${entry}`;
    })}}`;
  }

  private comprehension(expr: Extract<Expr, { kind: 'comprehension' }>, indent: string): string {
    const inner = `${indent}  `;
    const parts = [
      ['Variable', expr.iterVar],
      ['Target', this.write(expr.iterRange, inner)],
      ['Accumulator', expr.accuVar],
      ['Init', this.write(expr.accuInit, inner)],
      ['LoopCondition', this.write(expr.loopCondition, inner)],
      ['LoopStep', this.write(expr.loopStep, inner)],
      ['Result', this.write(expr.result, inner)],
    ];
    const lines = parts.map(([title, text]) => `\n${inner}// ${title}\n${inner}${text}`);
    return `__comprehension__(${lines.join(',')})`;
  }

  private lines<T>(indent: string, items: readonly T[], write: (item: T) => string): string {
    if (items.length === 0) return '';
    const lines = items.map(item => `\n${indent}  ${write(item)}`);
    return `${lines.join(',')}\n${indent}`;
  }
}

function formatLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return quote(literal.value);
    case 'bytes':
      return quoteBytes(literal.value);
    case 'double':
      return formatDouble(literal.value);
    case 'uint':
      return `${literal.value}u`;
    default:
      return String(literal.value);
  }
}

/** Formats a double like Go's default: with a two-digit exponent from a million on. */
function formatDouble(value: number): string {
  if (value < 1e6 && value > -1e6) return (Object.is(value, -0) ? '-' : '') + value.toString();
  return value.toExponential().replace(/e\+([0-9])$/, 'e+0$1');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function quote(text: string): string {
  return `"${[...text].map(quoted).join('')}"`;
}

function quoted(character: string): string {
  return ESCAPES[character] ?? (isPrintable(character) ? character : escaped(character));
}

function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{S}\p{P} ]$/u.test(character);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Quotes bytes as the UTF-8 text that they encode; invalid bytes are escaped. */
function quoteBytes(bytes: Uint8Array): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const character = decodeCharacter(bytes, at);
    text += character === undefined ? `\\x${bytes[at]?.toString(16)}` : quoted(character);
    at += character === undefined ? 1 : new TextEncoder().encode(character).length;
  }
  return `b"${text}"`;
}

function decodeCharacter(bytes: Uint8Array, at: number): string | undefined {
  for (let length = 1; length <= 4; length++) {
    const character = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + length));
    if (!character.includes('\ufffd')) return character;
  }
  return undefined;
}
