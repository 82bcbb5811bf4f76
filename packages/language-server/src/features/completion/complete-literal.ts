import type { ValueRole } from '@tollgate/catalog';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { receiverBefore } from '../../cel/partial-expression.ts';
import type { ExpressionCompletion } from './expression-completion.ts';
import { countries, HEADER_NAMES, type KnownValue, METHODS, STATUSES, TLS_VERSIONS } from './known-values.ts';
import type { Suggestion } from './suggestion.ts';

const HEADER_ROLES: readonly ValueRole[] = [
  'request-headers',
  'response-headers',
  'request-trailers',
  'response-trailers',
];

/** Returns values for a string literal: those that the variable it is compared with may have, or names of headers in an index. */
export function completeLiteral(
  { before, text }: { readonly before: string; readonly text: string },
  asked: ExpressionCompletion,
): readonly Suggestion[] {
  const length = asked.word.end - asked.word.start;
  const range = { start: asked.word.end - Math.max(text.length, length), end: asked.word.end };
  const indexed = withoutEnd(before, '[');
  const looked = indexed === undefined ? calledName(before) : undefined;
  if (indexed !== undefined && HEADER_ROLES.includes(roleOf(receiverBefore(indexed), asked)!))
    return headers(range, asked);
  if (looked !== undefined && asked.profile.functions.some(one => one.name === looked && one.looksUp))
    return headers(range, asked);
  const compared = comparedWith(before);
  return compared === undefined ? [] : valuesOf(roleOf(compared, asked)).map(value => literal(value, range));
}

function calledName(before: string): string | undefined {
  return /[A-Za-z]\w*$/.exec(withoutEnd(before, '(') ?? '')?.[0];
}

/** Returns the operand that the string is compared with: of `==`, `!=` or `in`. */
function comparedWith(before: string): string | undefined {
  const operand = withoutEnd(before, '==') ?? withoutEnd(before, '!=') ?? searchedFor(before);
  return operand === undefined ? undefined : receiverBefore(operand);
}

/** Returns the operand of an `in` whose list is not closed yet. */
function searchedFor(before: string): string | undefined {
  const open = before.lastIndexOf('[');
  return open < 0 || before.includes(']', open) ? undefined : withoutEnd(before.slice(0, open), ' in');
}

/** Returns the text before an ending, without spaces at either end of the ending. */
function withoutEnd(text: string, ending: string): string | undefined {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(ending) ? trimmed.slice(0, -ending.length).trimEnd() : undefined;
}

function roleOf(path: string, { profile }: ExpressionCompletion): ValueRole | undefined {
  return profile.variables.find(one => one.path === path)?.role;
}

function valuesOf(role: ValueRole | undefined): readonly KnownValue[] {
  switch (role) {
    case 'method':
      return METHODS;
    case 'country-code':
      return countries();
    case 'status':
      return STATUSES;
    case 'tls-version':
      return TLS_VERSIONS;
    default:
      return [];
  }
}

function literal({ value, meaning }: KnownValue, range: Suggestion['range']): Suggestion {
  return { label: value, detail: meaning, kind: CompletionItemKind.EnumMember, range };
}

function headers(range: Suggestion['range'], { profile }: ExpressionCompletion): readonly Suggestion[] {
  const isCanonical = profile.headerNames === 'canonical';
  return HEADER_NAMES.map(name => {
    const label = isCanonical ? name.replace(/(?:^|-)[a-z]/g, part => part.toUpperCase()) : name;
    return { label, kind: CompletionItemKind.Property, detail: 'header', range };
  });
}
