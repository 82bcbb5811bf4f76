// Visitors for regular expressions, in expressions and in configurations.

import type { ValueRole } from '@tollgate/catalog';
import type { Expr } from '@tollgate/cel';
import { onceForEach, type Range, type TextEdit } from '@tollgate/diagnostics';
import { documentRange, editScalar } from '@tollgate/policy';
import { type PatternTree, patternTree } from '../readers/pattern-tree.ts';
import { fieldNamed, type ProfileRoles } from '../readers/profile-roles.ts';
import { literalString } from '../readers/source-nodes.ts';
import { originOf } from '../readers/value-origin.ts';
import type { ValueTest } from '../readers/value-tests.ts';
import type { ConfigString, FileAnalysis, LintContext, LintedFile } from '../rule-api/lint-context.ts';
import type { Visitor } from '../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../rule-api/linted-expression.ts';

/** A pattern in a condition or a configuration. */
export interface PatternUse {
  readonly pattern: string;
  /** The role of what it is matched against, if that is an input. */
  readonly subject: ValueRole | undefined;
  /** `test` in a condition; `replace` in a rewrite, a redirect and the like. */
  readonly purpose: 'test' | 'replace';
  /** The call of `matches` and the expression that contains it. */
  readonly call: { readonly node: Extract<Expr, { readonly kind: 'call' }>; readonly at: LintedExpression } | undefined;
  /** Returns the range of a part of the pattern; the whole pattern if it is written with escapes. */
  readonly rangeOf: (part: Range) => Range;
  /** Returns the edits of the document that replace parts of the pattern; none if it is written with escapes. */
  readonly edit: (parts: readonly Range[], newText: string) => readonly TextEdit[];
}

/** Returns a visitor for every constant pattern in conditions and configurations. */
export function checkPatterns(check: (use: PatternUse, context: LintContext) => void): Visitor {
  return {
    calls: {
      matches: (call, at, context) => {
        const use = useInCall(call, at, context.file.roles);
        if (use) check(use, context);
      },
    },
    configString: (text, context) => {
      const use = useInConfig(text, context);
      if (use) check(use, context);
    },
  };
}

function useInCall(
  call: Extract<Expr, { readonly kind: 'call' }>,
  at: LintedExpression,
  roles: ProfileRoles,
): PatternUse | undefined {
  const [subject, literal] = call.target ? [call.target, call.args[0]] : call.args;
  const pattern = literalString(literal);
  if (pattern === undefined || !literal || !subject) return undefined;
  const offset = contentOffset(sourceOf(at, literal.range), pattern);
  const inExpression = ({ start, end }: Range) => {
    const from = literal.range.start + (offset ?? 0);
    return offset === undefined ? literal.range : { start: from + start, end: from + end };
  };
  return {
    pattern,
    subject: originOf(at.typed, roles, subject)?.role,
    purpose: 'test',
    call: { node: call, at },
    rangeOf: part => rangeInDocument(at, inExpression(part)),
    edit: (parts, newText) =>
      offset === undefined
        ? []
        : editsOf(
            at,
            parts.map(part => ({ range: inExpression(part), newText })),
          ),
  };
}

/** Returns the offset of a literal's content in its source; undefined if it is written with escapes. */
function contentOffset(source: string, value: string): number | undefined {
  const offset = /^[rR]?(?:"""|'''|["'])/.exec(source)?.[0].length ?? 0;
  return source.slice(offset, offset + value.length) === value ? offset : undefined;
}

function useInConfig({ node, action, path }: ConfigString, { file }: LintContext): PatternUse | undefined {
  const field = fieldNamed(action.fact?.config, path[0]!);
  const isPattern = field?.type.kind === 'regex' || isPatternWithin(field?.type, path.at(-1)!);
  const { text, value } = node;
  if (!isPattern || !text || value.includes('${')) return undefined;
  return {
    pattern: value,
    subject: field?.role === 'url-pattern' ? 'url' : undefined,
    purpose: 'replace',
    call: undefined,
    rangeOf: part => documentRange(text, part),
    edit: (parts, newText) =>
      editScalar(
        file.source.text,
        text,
        parts.map(range => ({ range, newText })),
      ),
  };
}

/** Patterns in lists of objects, such as `replacements`. */
function isPatternWithin(type: NonNullable<ReturnType<typeof fieldNamed>>['type'] | undefined, key: string): boolean {
  if (type?.kind !== 'list' || type.of.kind !== 'object') return false;
  return fieldNamed(type.of.fields, key)?.type.kind === 'regex';
}

/** Pattern trees by pattern: several lint rules need each, and a pattern often occurs several times in a file. */
export const PATTERN_TREES: FileAnalysis<(pattern: string) => PatternTree | undefined> = {
  compute: () => onceForEach(patternTree),
};

/** Returns the tree of a pattern as {@link patternTree} does, parsed once for each file. */
export function patternTreeOf(pattern: string, file: LintedFile): PatternTree | undefined {
  return file.resultOf(PATTERN_TREES)(pattern);
}

// Globs and regular expressions that are compared as plain strings, and the calls that do what they were meant to do.

/** Kinds of tests that compare every character. */
export const LITERAL_TESTS: ReadonlySet<string> = new Set(['==', '!=', 'in', 'startsWith', 'endsWith', 'contains']);

/** A call that does what a glob or a pattern was meant to do. */
interface MeantCall {
  readonly name: 'startsWith' | 'endsWith' | 'contains' | 'matches';
  readonly argument: string;
}

/** Returns what a literal was meant to be; undefined if it is a plain string. */
export function meantBy(
  text: string,
  { kind }: Pick<ValueTest, 'kind'>,
): { readonly noun: 'a glob' | 'a regular expression'; readonly call: MeantCall } | undefined {
  if (!LITERAL_TESTS.has(kind)) return undefined;
  if (isPattern(text)) return { noun: 'a regular expression', call: callOfPattern(text) };
  return isGlob(text) ? { noun: 'a glob', call: callOfGlob(text, kind) } : undefined;
}

/** What plain paths and hosts do not contain: `^/admin`, `/admin/.*`, `/v[0-9]+/`, `(css|js)`. A `$` or a dot alone is common in them. */
const SIGNS_OF_PATTERNS: readonly RegExp[] = [
  /^\^[/h(.*\w]/,
  /\.[*+](?!\w)/,
  /\[\^?\w-\w/,
  /\][+*]/,
  /\\[.dw/]/,
  /\([\w.-]+\|/,
];

function isPattern(text: string): boolean {
  return SIGNS_OF_PATTERNS.some(sign => sign.test(text)) && patternTree(text) !== undefined;
}

/** True for `*` at the start or end of the whole or of a segment. */
function isGlob(text: string): boolean {
  return text !== '*' && text !== '/*' && /(?:^|[/.])\*|\*(?:$|[/.])/.test(text);
}

/** A pattern that only tests a start, an end or a part needs no `matches`. */
function callOfPattern(text: string): MeantCall {
  const [, start, body = '', end] = /^(\^?)(.*?)(\$?)$/.exec(text)!;
  const isPlain = /^[\w/-]+$/.test(body);
  if (isPlain && start && !end) return { name: 'startsWith', argument: body };
  if (isPlain && !start && end) return { name: 'endsWith', argument: body };
  const prefix = /^\^?([\w/-]+)\.\*\$?$/.exec(text)?.[1];
  if (prefix !== undefined) return { name: 'startsWith', argument: prefix };
  return { name: 'matches', argument: start || !/^[/h]/.test(text) ? text : `^${text}` };
}

function callOfGlob(text: string, kind: ValueTest['kind']): MeantCall {
  const inner = text.replace(/^\*+/, '').replace(/(?<!\*)\*+$/, '');
  if (inner === '' || inner.includes('*')) return { name: 'matches', argument: patternOf(text) };
  const [before, behind] = [text.startsWith('*'), text.endsWith('*')];
  if ((before && behind) || kind === 'contains') return { name: 'contains', argument: inner };
  return { name: before ? 'endsWith' : 'startsWith', argument: inner };
}

/** Returns the pattern for a glob in which `*` stands for a part of a segment, and `**` for anything. */
function patternOf(glob: string): string {
  const parts = glob.split(/(\*+)/).map(part => {
    if (part.startsWith('**')) return '.*';
    return part === '*' ? '[^/]*' : part.replaceAll('.', '[.]').replaceAll(/[\\^$+?()|{}]/g, '\\$&');
  });
  return `^${parts.join('')}$`;
}
