import { type EndpointKind, type ValueRole, type VariableFact, variablesAt } from '@tollgate/catalog';
import { type FunctionDecl, formatType, type Overload, type Type } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { CompletionItemKind } from 'vscode-languageserver-types';
import type { ExpressionBefore } from '../cursor/expression-place.ts';
import { type Local, localsOf, readPartial, receiverBefore, typeOf } from '../cursor/partial-expression.ts';
import { describeFunction, describeMacro, describeType, describeVariable } from '../features/describe.ts';
import {
  countries,
  HEADER_NAMES,
  type KnownValue,
  methods,
  STATUSES,
  type Suggestion,
  TLS_VERSIONS,
} from './complete-keys.ts';

/** What completing an expression needs. */
interface ExpressionCompletion extends ExpressionBefore {
  readonly endpoint: EndpointKind;
  /** The word at the cursor, in the document. */
  readonly word: Range;
  /** The quote that needs no escape where the expression is. */
  readonly quote: string;
  /** The names that `set-vars` gives to variables in the policy. */
  readonly setVariables: readonly string[];
}

/** Macros that are written after a receiver, with their arguments as a snippet. */
const MEMBER_MACROS: Readonly<Record<string, string>> = {
  all: 'all(${1:x}, ${2:condition})',
  exists: 'exists(${1:x}, ${2:condition})',
  exists_one: 'exists_one(${1:x}, ${2:condition})',
  filter: 'filter(${1:x}, ${2:condition})',
  map: 'map(${1:x}, ${2:value})',
};
const KEYWORDS = ['true', 'false', 'null', 'in'];

/** Returns what may follow the part of an expression before the cursor: by the receiver's type, the phase, and the macros around it. */
export function completeExpression(asked: ExpressionCompletion): readonly Suggestion[] {
  const { ending, calls } = readPartial(asked.source);
  const locals = [...asked.variables, ...localsOf(calls, asked.environment)];
  switch (ending.kind) {
    case 'string':
      return completeLiteral(ending, asked);
    case 'member':
      return members(ending.receiver, locals, asked);
    case 'name':
      return [
        ...literals(asked.source.slice(0, asked.source.length - ending.word.length), asked),
        ...names(locals, asked),
      ];
  }
}

function members(receiver: string, locals: readonly Local[], asked: ExpressionCompletion): readonly Suggestion[] {
  const { environment, word } = asked;
  const type = typeOf(receiver, environment, locals);
  const object = type.kind === 'object' ? environment.objects.get(type.name) : undefined;
  const facts = factsOf(asked);
  const fields = [...(object?.fields ?? [])].map(([label, field]): Suggestion => {
    const fact = facts.find(one => one.path === `${receiver.replaceAll(/\s/g, '')}.${label}`);
    return {
      label,
      kind: CompletionItemKind.Field,
      detail: formatType(field.type),
      range: word,
      rank: 0,
      documentation: () => (fact ? describeVariable(fact) : describeType(label, field.type, field.doc)),
      ...(fact?.deprecated && { isDeprecated: true }),
    };
  });
  const isDual = object?.stringKey !== undefined;
  const own = isDual ? STRING : type;
  const methods = object && !isDual ? [] : [...functionsFor(own, asked), ...macrosFor(own, asked)];
  return [...setNames(receiver, asked), ...fields, ...methods, ...qualified(receiver, asked)];
}

/** The variables of a policy, after the variable that holds them. */
function setNames(receiver: string, { setVariables, word }: ExpressionCompletion): readonly Suggestion[] {
  if (receiver !== VARIABLES) return [];
  return setVariables.map(label => ({
    label,
    kind: CompletionItemKind.Variable,
    detail: 'set in this policy',
    range: word,
    rank: 0,
  }));
}

/** The variable whose fields `set-vars` sets. */
const VARIABLES = 'vars';

const STRING: Type = { kind: 'string' };

function functionsFor(type: Type, asked: ExpressionCompletion): readonly Suggestion[] {
  return [...asked.environment.functions.values()].flatMap(decl => {
    const overloads = decl.overloads.filter(one => one.member && accepts(one.params[0], type));
    return overloads.length === 0 || !isName(decl.name) ? [] : [functionSuggestion(decl, overloads, asked)];
  });
}

function macrosFor(type: Type, { word, environment }: ExpressionCompletion): readonly Suggestion[] {
  if (!['list', 'map', 'dyn'].includes(type.kind)) return [];
  return Object.entries(MEMBER_MACROS).map(([label, snippet]) => ({
    label,
    snippet,
    range: word,
    rank: 1,
    kind: CompletionItemKind.Keyword,
    detail: 'macro',
    text: `${label}(`,
    documentation: () => describeMacro(label, environment),
  }));
}

/** Functions with a qualified name, such as `math.least`. */
function qualified(receiver: string, asked: ExpressionCompletion): readonly Suggestion[] {
  const prefix = `${receiver}.`;
  return [...asked.environment.functions.values()].flatMap(decl => {
    const rest = decl.name.startsWith(prefix) ? decl.name.slice(prefix.length) : '';
    const overloads = decl.overloads.filter(one => !one.member);
    return isName(rest) && overloads.length > 0
      ? [{ ...functionSuggestion(decl, overloads, asked), label: rest, ...callText(rest, overloads) }]
      : [];
  });
}

function names(locals: readonly Local[], asked: ExpressionCompletion): readonly Suggestion[] {
  const { environment, word } = asked;
  const facts = factsOf(asked);
  const own = locals.map(
    ({ name, type }): Suggestion => ({
      label: name,
      kind: CompletionItemKind.Variable,
      detail: formatType(type),
      range: word,
      rank: 0,
      documentation: () => describeType(name, type, undefined),
    }),
  );
  const variables = [...environment.variables.values()]
    .filter(({ name }) => isName(name) && !environment.typeNames.has(name))
    .map(({ name, type, doc }): Suggestion => {
      const fact = facts.find(one => one.path === name);
      return {
        label: name,
        kind: CompletionItemKind.Variable,
        detail: formatType(type),
        range: word,
        // Nearly all conditions begin with the request, and those about responses with the response.
        rank: name === 'res' || (name === 'req' && !environment.variables.has('res')) ? 0 : 1,
        documentation: () => (fact ? describeVariable(fact) : describeType(name, type, doc)),
      };
    });
  const functions = [...environment.functions.values()].flatMap(decl => {
    const overloads = decl.overloads.filter(one => !one.member);
    return overloads.length === 0 || !isName(decl.name) ? [] : [functionSuggestion(decl, overloads, asked)];
  });
  const roots = [...new Set([...environment.functions.keys()].flatMap(name => /^([a-z]\w*)\./.exec(name)?.[1] ?? []))];
  const modules = roots
    .filter(label => !environment.variables.has(label))
    .map(
      (label): Suggestion => ({ label, kind: CompletionItemKind.Module, detail: 'functions', range: word, rank: 3 }),
    );
  const words = KEYWORDS.map(
    (label): Suggestion => ({ label, kind: CompletionItemKind.Keyword, range: word, rank: 4 }),
  );
  const has: Suggestion = {
    label: 'has',
    kind: CompletionItemKind.Keyword,
    detail: 'macro',
    range: word,
    rank: 2,
    text: 'has(',
    snippet: 'has(${1:field})',
    documentation: () => describeMacro('has', environment),
  };
  return [...own, ...variables, has, ...functions, ...modules, ...words];
}

function functionSuggestion(
  decl: FunctionDecl,
  overloads: readonly Overload[],
  asked: ExpressionCompletion,
): Suggestion {
  const { functions: facts } = asked.profile;
  return {
    label: decl.name,
    kind: CompletionItemKind.Function,
    detail: [...new Set(overloads.map(one => formatType(one.result)))].join(' | '),
    range: asked.word,
    rank: 2,
    ...callText(decl.name, overloads),
    documentation: () => describeFunction(decl, overloads, facts),
  };
}

function callText(name: string, overloads: readonly Overload[]): Pick<Suggestion, 'text' | 'snippet'> {
  const takesNothing = overloads.every(({ member, params }) => params.length === (member ? 1 : 0));
  return takesNothing ? { text: `${name}()` } : { text: `${name}(`, snippet: `${name}($1)` };
}

/** Returns the inputs that the phase may read. */
function factsOf({ profile, endpoint, phase }: ExpressionCompletion): readonly VariableFact[] {
  return variablesAt(profile, { endpoint, phase });
}

/** Returns true if a value of the type may be the receiver of a method that takes the parameter. */
export function accepts(param: Type | undefined, type: Type): boolean {
  if (param === undefined) return false;
  if (type.kind === 'dyn' || type.kind === 'error' || param.kind === 'dyn' || param.kind === 'param') return true;
  if (param.kind !== type.kind) return type.kind === 'wrapper' && accepts(param, type.of);
  if (param.kind === 'list' && type.kind === 'list') return accepts(param.element, type.element);
  if (param.kind === 'opaque' && type.kind === 'opaque') return param.name === type.name;
  return param.kind !== 'object' || type.kind !== 'object' || param.name === type.name;
}

/** Operators have names such as `_+_`, and qualified functions have dots. */
function isName(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name);
}

const HEADER_ROLES: readonly ValueRole[] = [
  'request-headers',
  'response-headers',
  'request-trailers',
  'response-trailers',
];

/** Returns values for a string literal: those that the variable it is compared with may have, or names of headers in an index. */
function completeLiteral(
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

/** Returns whole literals where one may begin: names of headers in an index, and values that a variable is compared with. */
function literals(before: string, asked: ExpressionCompletion): readonly Suggestion[] {
  const { word, quote } = asked;
  const indexed = withoutEnd(before, '[');
  const isHeader = indexed !== undefined && HEADER_ROLES.includes(roleOf(receiverBefore(indexed), asked)!);
  const compared = isHeader ? undefined : comparedWith(before);
  const role = compared === undefined ? undefined : roleOf(compared, asked);
  const found = isHeader ? headers(word, asked) : valuesOf(role).map(value => literal(value, word));
  return found.map(one => {
    const text = role === 'status' ? one.label : `${quote}${one.label}${quote}`;
    return { ...one, label: text, rank: 0 };
  });
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
      return methods();
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
