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
  const indexed = /([\s\S]*)\[\s*$/.exec(before)?.[1];
  const looked = indexed === undefined ? calledName(before) : undefined;
  if (indexed !== undefined && HEADER_ROLES.includes(roleOf(receiverBefore(indexed), asked)!))
    return headers(range, asked);
  if (looked !== undefined && asked.profile.functions.some(one => one.name === looked && one.looksUp))
    return headers(range, asked);
  const compared = comparedWith(before);
  return compared === undefined ? [] : valuesOf(roleOf(compared, asked)).map(value => literal(value, range));
}

function calledName(before: string): string | undefined {
  return /([A-Za-z]\w*)\(\s*$/.exec(before)?.[1];
}

/** Returns the operand that the string is compared with: of `==`, `!=` or `in`. */
function comparedWith(before: string): string | undefined {
  const equal = /([\s\S]*?)\s*[=!]=\s*$/.exec(before)?.[1];
  const listed = /([\s\S]*?)\s+in\s*\[[^\]]*$/.exec(before)?.[1];
  const operand = equal ?? listed;
  return operand === undefined ? undefined : receiverBefore(operand);
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
